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
		return "the " + t.Obj.Name()
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
			if r.Comment != "" && !strings.Contains(r.Comment, " ") && r.Comment != "complit" && r.Comment != "new" && r.Comment != "slicelit" && r.Comment != "makeslice" {
				return r.Comment
			}
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
	return types.TypeString(t, types.RelativeTo(c.pass.Pkg))
}
