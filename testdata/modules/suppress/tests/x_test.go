package tests_test

import (
	"testing"

	"example.com/suppress/tests"
)

func TestX(t *testing.T) { _ = tests.T{} }
