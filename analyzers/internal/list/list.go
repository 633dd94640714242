// Package list is the list of the checks that find faults in programs. It is
// apart from the registry because the vetignore check, which is in the registry,
// must know it.
package list

import (
	"github.com/heapvet/heapvet/analyzers/fieldtag"
	"github.com/heapvet/heapvet/analyzers/heapexpose"
	"github.com/heapvet/heapvet/analyzers/heapiface"
	"github.com/heapvet/heapvet/analyzers/heaplock"
	"github.com/heapvet/heapvet/analyzers/heapuse"
	"github.com/heapvet/heapvet/analyzers/lesscapture"
	"github.com/heapvet/heapvet/analyzers/lessorder"
	"github.com/heapvet/heapvet/internal/check"
)

// Checks returns the checks in the order in which they are listed to users.
func Checks() []*check.Check {
	return []*check.Check{
		heaplock.Check,
		lesscapture.Check,
		heapexpose.Check,
		lessorder.Check,
		fieldtag.Check,
		heapiface.Check,
		heapuse.Check,
	}
}
