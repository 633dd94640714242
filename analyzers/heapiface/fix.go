package heapiface

import (
	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/internal/contract"
)

func (m *impl) swapFix(k contract.Keeper) []analysis.SuggestedFix { return nil }

func (m *impl) leakFix(out contract.Outcome) []analysis.SuggestedFix { return nil }
