package analyzers_test

import (
	"testing"

	"github.com/heapvet/heapvet/analyzers"
	"github.com/heapvet/heapvet/internal/check/checktest"
)

func TestExamples(t *testing.T) { checktest.Examples(t, analyzers.Checks()...) }
