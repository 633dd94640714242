package lessorder

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/heapvet/heapvet/internal/order"
)

// differences reports orderings by the sign of a difference. It tells whether
// one is certain to be wrong, which explains a broken order too.
func (c *checker) differences(r *order.Result) (certain bool) {
	for _, d := range r.Differences {
		msg := differenceMessage(d)
		switch d.Kind {
		case order.Overflows:
			if !c.farApart(d) {
				continue
			}
		case order.Unsigned, order.Truncates:
			certain = true
		}
		c.pass.Report(analysis.Diagnostic{
			Pos: d.Pos, Category: "overflow", Message: msg, SuggestedFixes: c.fixDifference(d),
		})
	}
	return certain
}

func differenceMessage(d *order.Difference) string {
	key := d.Key
	if key == "" {
		key = "the elements"
	}
	typ := typeString(d.Type)
	switch d.Kind {
	case order.Unsigned:
		return fmt.Sprintf("%s is unsigned (%s), so a difference of two is never negative and does not order by it; compare the values themselves", key, typ)
	case order.Narrows:
		return fmt.Sprintf("only the lower bits of %s (%s) are compared, as %s, so that values far apart change places; compare %s itself", key, typ, typeString(d.To), key)
	case order.Truncates:
		to := typeString(d.To)
		if b, ok := d.Type.Underlying().(*types.Basic); ok && b.Info()&types.IsFloat != 0 {
			return fmt.Sprintf("the difference of two %s is cut to %s, so values of %s less than 1 apart count as equal, which is no order; use cmp.Compare", typ, to, key)
		}
		return fmt.Sprintf("the difference of two %s is cut to %s, which can change its sign; compare %s itself", typ, to, key)
	}
	return fmt.Sprintf("the difference of two %s can overflow, and its sign then orders by %s the wrong way round; use cmp.Compare", typ, key)
}

func typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// farApart tells whether there is reason to think that two values can be so far
// apart that their difference overflows: they are 64 bits wide and others choose
// them, or the package itself uses numbers near the ends of the type.
func (c *checker) farApart(d *order.Difference) bool {
	b, ok := d.Type.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	wide := b.Kind() == types.Int || b.Kind() == types.Int64
	if d.Key == "" {
		return wide // the elements themselves
	}
	f := d.Field
	if f == nil {
		return false
	}
	if c.extreme(f, b) {
		return true
	}
	return wide && f.Exported() && exportedOwner(c.pass.Pkg, f) && !c.smallWrites(f)
}

// extreme tells whether the package stores a number in the field, or compares it
// with one, from which the other end of the type is out of reach.
func (c *checker) extreme(f *types.Var, b *types.Basic) bool {
	limit := int64(1) << 30
	switch b.Kind() {
	case types.Int8:
		limit = 1 << 6
	case types.Int16:
		limit = 1 << 14
	case types.Int, types.Int64:
		limit = 1 << 62
	}
	far := func(v ssa.Value) bool {
		k, ok := v.(*ssa.Const)
		if !ok {
			return false
		}
		n, ok := constInt(k)
		return ok && (n >= limit || n <= -limit)
	}
	for _, fn := range c.heaps.IR.Funcs {
		for _, bl := range fn.Blocks {
			for _, in := range bl.Instrs {
				switch in := in.(type) {
				case *ssa.Store:
					if isField(in.Addr, f) && far(in.Val) {
						return true
					}
				case *ssa.BinOp:
					if isLoad(in.X, f) && far(in.Y) || isLoad(in.Y, f) && far(in.X) {
						return true
					}
				}
			}
		}
	}
	return false
}

func isField(addr ssa.Value, f *types.Var) bool {
	fa, ok := addr.(*ssa.FieldAddr)
	return ok && order.FieldOf(fa).Origin() == f.Origin()
}

func isLoad(v ssa.Value, f *types.Var) bool {
	u, ok := v.(*ssa.UnOp)
	return ok && isField(u.X, f)
}

// exportedOwner tells whether another package can name a struct with the field.
func exportedOwner(pkg *types.Package, f *types.Var) bool {
	for _, name := range pkg.Scope().Names() {
		obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || !obj.Exported() {
			continue
		}
		if s, ok := obj.Type().Underlying().(*types.Struct); ok {
			for g := range s.Fields() {
				if g == f {
					return true
				}
			}
		}
	}
	return false
}

func (c *checker) smallWrites(f *types.Var) bool {
	writes := 0
	for _, fn := range c.heaps.IR.Funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				st, ok := in.(*ssa.Store)
				if !ok {
					continue
				}
				if addr, ok := st.Addr.(*ssa.FieldAddr); ok && order.FieldOf(addr).Origin() == f.Origin() {
					writes++
					if !small(st.Val, 0) {
						return false
					}
				}
			}
		}
	}
	return writes > 0
}

// small tells whether a value is far from the ends of its type.
func small(v ssa.Value, depth int) bool {
	if depth > 4 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Const:
		n, ok := constInt(v)
		return ok && n > -1<<30 && n < 1<<30
	case *ssa.Convert:
		return narrow(v.X.Type()) || small(v.X, depth+1)
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "cap")
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !small(e, depth+1) {
				return false
			}
		}
		return true
	case *ssa.BinOp:
		switch v.Op {
		case token.REM, token.AND:
			return small(v.Y, depth+1)
		case token.ADD, token.SUB: // x.n++ and its like
			_, constant := v.Y.(*ssa.Const)
			_, load := v.X.(*ssa.UnOp)
			return constant && small(v.Y, depth+1) && (load || small(v.X, depth+1))
		}
	case *ssa.Extract: // the index of a range
		_, ok := v.Tuple.(*ssa.Next)
		return ok && v.Index == 1
	}
	return false
}

func constInt(c *ssa.Const) (int64, bool) {
	b, ok := c.Type().Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || c.Value == nil {
		return 0, false
	}
	return c.Int64(), true
}

func narrow(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	switch b.Kind() {
	case types.Int8, types.Uint8, types.Int16, types.Uint16, types.Bool:
		return true
	}
	return false
}

// impure reports what makes a comparator depend on more than its elements. It
// tells whether two calls for the same elements may differ, which explains a
// broken order too.
func (c *checker) impure(cmp order.Comparator) (erratic bool) {
	for _, e := range order.Effects(c.heaps.IR, cmp.Fn) {
		d := analysis.Diagnostic{Pos: e.Pos, Category: "impure", Message: c.effectMessage(cmp, e)}
		if e.Fn != cmp.Fn {
			d.Related = append(d.Related, analysis.RelatedInformation{Pos: cmp.Fn.Pos(), Message: "called from " + nameOf(cmp.Fn) + ", which orders a heap"})
		}
		for i, w := range e.Writes {
			if i < 3 {
				d.Related = append(d.Related, analysis.RelatedInformation{Pos: w, Message: e.What + " is changed here"})
			}
		}
		c.pass.Report(d)
		erratic = erratic || e.Kind == order.Random || e.Kind == order.Write || changesItself(e)
	}
	return erratic
}

// changesItself tells whether a function changes the package variable that it
// reads.
func changesItself(e order.Effect) bool {
	body := e.Fn.Syntax()
	for _, w := range e.Writes {
		if body != nil && body.Pos() <= w && w < body.End() {
			return true
		}
	}
	return false
}

func (c *checker) effectMessage(cmp order.Comparator, e order.Effect) string {
	who := nameOf(cmp.Fn)
	switch e.Kind {
	case order.Clock:
		return fmt.Sprintf("%s reads the clock (%s): the order of elements that are in the heap changes as time passes, and nothing restores it", who, e.What)
	case order.Random:
		return fmt.Sprintf("%s asks for a random number (%s): two calls for the same pair may disagree while elements are being sifted", who, e.What)
	case order.Lock:
		return fmt.Sprintf("%s waits in %s: it runs inside heap operations, whose callers may hold that lock or one that its holder wants", who, e.What)
	case order.Channel:
		return fmt.Sprintf("%s communicates on a channel (%s) in the middle of a heap operation", who, e.What)
	case order.World:
		return fmt.Sprintf("%s depends on the outside world (%s), which may change while elements are in the heap", who, e.What)
	case order.Variable:
		return fmt.Sprintf("%s reads the package variable %s, which is changed elsewhere (line %d): heaps that are filled by then keep the old order", who, e.What, c.pass.Fset.Position(e.Writes[0]).Line)
	case order.Write:
		return fmt.Sprintf("%s changes %s, by which it also compares", who, e.What)
	}
	return fmt.Sprintf("%s starts a goroutine", who)
}
