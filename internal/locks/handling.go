package locks

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A handlingMode says what a function that cannot be seen does with a function
// value that it is given.
type handlingMode int

const (
	unknownHandling handlingMode = iota
	runsNow                      // calls it before it returns, on the same goroutine
	runsLater                    // calls it on another goroutine, or later
	runsOnce                     // calls it at most once ever, before anybody goes on
)

// laterFuncs run their function arguments on another goroutine or later, by
// [types.Func.FullName].
var laterFuncs = map[string]bool{
	"time.AfterFunc":                                 true,
	"context.AfterFunc":                              true,
	"runtime.SetFinalizer":                           true,
	"runtime.AddCleanup":                             true,
	"(*sync.WaitGroup).Go":                           true,
	"net/http.HandleFunc":                            true,
	"(*net/http.ServeMux).HandleFunc":                true,
	"(*golang.org/x/sync/errgroup.Group).Go":         true,
	"(*golang.org/x/sync/errgroup.Group).TryGo":      true,
	"(*testing.T).Cleanup":                           true,
	"(*golang.org/x/sync/singleflight.Group).DoChan": true,
}

// RunsLater tells whether a call of a function that cannot be seen runs its function
// arguments on another goroutine or later.
func RunsLater(call *ssa.CallCommon) bool { return handling(call) == runsLater }

// startFuncs are those of laterFuncs that run them on another goroutine at once.
var startFuncs = map[string]bool{
	"(*sync.WaitGroup).Go":                      true,
	"(*golang.org/x/sync/errgroup.Group).Go":    true,
	"(*golang.org/x/sync/errgroup.Group).TryGo": true,
}

// starts tells whether a call is as a go statement for the function that it is given.
func starts(call *ssa.CallCommon) bool {
	fn := call.StaticCallee()
	if fn == nil {
		return false
	}
	m := methodOf(origin(fn))
	return m != nil && startFuncs[m.FullName()]
}

// handling tells what the callee does with function values. The standard library
// calls them at once (sort, slices, maps, sync.Once, sync.Map.Range, filepath.Walk
// …) except for a known few. Of others nothing is known.
func handling(call *ssa.CallCommon) handlingMode {
	if rangesOver(call) {
		return runsNow
	}
	fn := call.Method
	if fn == nil {
		callee := call.StaticCallee()
		if callee == nil {
			return unknownHandling
		}
		if fn = methodOf(origin(callee)); fn == nil {
			return unknownHandling
		}
	}
	if laterFuncs[fn.FullName()] {
		return runsLater
	}
	if fn.FullName() == "(*sync.Once).Do" {
		return runsOnce
	}
	if fn.Pkg() != nil && standard(fn.Pkg().Path()) && call.Method == nil {
		return runsNow
	}
	if registers(fn.Name()) {
		return runsLater
	}
	return unknownHandling
}

// rangesOver tells whether the call is that of an iterator by a range statement: the
// body of the loop runs within it.
func rangesOver(call *ssa.CallCommon) bool {
	for _, arg := range call.Args {
		fn, _ := arg.(*ssa.Function)
		if mc, ok := arg.(*ssa.MakeClosure); ok {
			fn = mc.Fn.(*ssa.Function)
		}
		if fn != nil && fn.Synthetic == "range-over-func yield" {
			return true
		}
	}
	return false
}

// registrations are the words with which the names of functions begin that keep a
// function value to call it when something happens.
var registrations = []string{"Subscribe", "Register", "On", "Handle", "Watch", "Notify", "Listen", "Observe", "AddHandler", "AddListener", "AddCallback", "AddEventHandler", "Schedule", "AfterFunc", "Every", "Hook"}

// registers tells whether a function of that name keeps the function values that it
// is given. The word must end there: OnChange registers, Once does not.
func registers(name string) bool {
	for _, w := range registrations {
		if rest, ok := strings.CutPrefix(name, w); ok && (rest == "" || rest[0] >= 'A' && rest[0] <= 'Z') {
			return true
		}
	}
	return false
}

// standard tells whether a path is the standard library's: its first element has
// no dot.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}
