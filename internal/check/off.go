package check

import "flag"

// turnedOff tells whether the flags of a vet tool turn the check off: -name=false
// was given. A driver leaves the analyzer of such a check out, but the vetignore
// check would bring it back as one that it requires. Drivers without such a flag
// turn nothing off.
func turnedOff(flags *flag.FlagSet, name string) bool {
	f := flags.Lookup(name)
	return f != nil && f.Value.String() == "false"
}
