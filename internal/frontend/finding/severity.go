package finding

import "slices"

// A Severity says how much a finding weighs.
type Severity string

// The severities, from the least to the greatest.
const (
	Note    Severity = "note"
	Warning Severity = "warning"
	Error   Severity = "error"
)

// Severities lists them from the least to the greatest.
func Severities() []Severity { return []Severity{Note, Warning, Error} }

// Rank orders severities; it is -1 for what is none.
func (s Severity) Rank() int { return slices.Index(Severities(), s) }
