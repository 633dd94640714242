package tests

import "testing"

func Test(t *testing.T) { _ = T{} }
