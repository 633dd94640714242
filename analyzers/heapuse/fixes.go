package heapuse

import "golang.org/x/tools/go/analysis"

func (c *checker) directFix(m *methodCall) []analysis.SuggestedFix { return nil }
