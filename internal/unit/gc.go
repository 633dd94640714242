package unit

import (
	"runtime"
	"runtime/debug"
)

// firstCollection is the size of the heap, in bytes, at which the garbage collector
// runs for the first time.
const firstCollection = 128 << 20

// delayCollection keeps the garbage collector from running before the heap has some
// size. The driver is started for each package of a build, most of which are done
// before there is garbage worth collecting; with a few MiB in use the collector
// would run dozens of times. The compiler does the same. After the first collection
// the heap grows as usual.
func delayCollection() {
	percent := debug.SetGCPercent(-1)
	if percent < 0 {
		return // turned off by GOGC: it stays so
	}
	limit := debug.SetMemoryLimit(-1)
	if limit < firstCollection {
		debug.SetGCPercent(percent)
		return
	}
	debug.SetMemoryLimit(firstCollection)
	sentinel := new([16]byte)
	runtime.AddCleanup(sentinel, func(limit int64) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}, limit)
}
