package heapuse

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/heaps"
	"github.com/heapvet/heapvet/internal/locks"
)

// heapName is how messages call a heap: the way the source reaches it, as far as
// it has a name, or its type.
func heapName(place *locks.Place, t *heaps.Type) string {
	if place != nil {
		if n := placeName(place); n != "" {
			return n
		}
	}
	if t != nil {
		return "the " + t.Obj.Name() + " heap"
	}
	return "the heap"
}

func placeName(p *locks.Place) string {
	if p.Parent == nil {
		switch r := p.Root.(type) {
		case *ssa.Parameter:
			return r.Name()
		case *ssa.Global:
			return r.Name()
		case *ssa.Alloc:
			return variable(r)
		}
		return ""
	}
	parent := placeName(p.Parent)
	if p.Field == nil {
		if parent == "" {
			return ""
		}
		return parent + "[...]"
	}
	if parent == "" {
		return p.Field.Name()
	}
	return parent + "." + p.Field.Name()
}

// short is a type as the package under analysis writes it.
func (c *checker) short(t types.Type) string {
	return types.TypeString(t, func(pkg *types.Package) string {
		if pkg == c.pass.Pkg {
			return ""
		}
		return pkg.Name()
	})
}

// variable is the name of a local variable, empty for other allocations.
func variable(a *ssa.Alloc) string {
	switch a.Comment {
	case "complit", "new", "slicelit", "makeslice", "varargs":
		return ""
	}
	if strings.Contains(a.Comment, " ") {
		return ""
	}
	return a.Comment
}
