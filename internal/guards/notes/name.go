package notes

import (
	"go/ast"
	"go/types"

	"github.com/heapvet/heapvet/internal/lazyregexp"
)

var (
	// heldName fits the names of functions whose callers hold the lock.
	heldName = lazyregexp.New(`(?:[a-z0-9_]Locked|_locked|[a-z0-9]UnderLock|LockHeld|WithLockHeld|[a-z0-9]WithLock|WithoutLock|[a-z0-9]NoLock|NoLocks|WithoutLocking|NoLocking|[a-z]Nolock|[a-z0-9]Unlocked|LockFree|^noLock[A-Z]\w*|^unlocked[A-Z]\w*)$`)
	// state fits names that ask for or set the state of a lock.
	state = lazyregexp.New(`^(?:[iI]s|[hH]as|[sS]et|[gG]et|[aA]ssert|[cC]heck|[wW]as|[oO]n|[mM]ark|[tT]ry|[eE]nsure|[mM]ust[bB]e|[aA]re|[nN]ot|[tT]est|[bB]enchmark|[eE]rr)(?:[A-Z]\w*)?(?:Locked|Unlocked|LockHeld)$`)
)

// nameSays reports whether the name of a function says that its caller holds the
// lock, and its body does not take one first.
func nameSays(fn *types.Func, body *ast.BlockStmt) bool {
	if !heldName.MatchString(fn.Name()) || state.MatchString(fn.Name()) {
		return false
	}
	return body == nil || !locksFirst(body)
}

// locksFirst reports whether the first lock call of a body takes a lock: then the
// name tells what the function does. One that unlocks first does it for its caller.
func locksFirst(body *ast.BlockStmt) bool {
	first := ""
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok || first != "" {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) > 0 {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			switch sel.Sel.Name {
			case "Lock", "RLock", "TryLock", "TryRLock", "Unlock", "RUnlock":
				first = sel.Sel.Name
			}
		}
		return true
	})
	return first == "Lock" || first == "RLock" || first == "TryLock" || first == "TryRLock"
}
