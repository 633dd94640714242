package check

import "flag"

// Skip makes the check's analyzer return without having looked at anything. A
// driver that leaves the analyzer out calls it, for the vetignore check, which
// requires all others, would bring it back.
func (c *Check) Skip() { c.skip = true }

// skipped tells whether the check is turned off: by [Check.Skip], or, in x/tools'
// drivers, by the flag -name=false.
func (c *Check) skipped() bool {
	f := flag.Lookup(c.Name)
	return c.skip || f != nil && f.Value.String() == "false"
}
