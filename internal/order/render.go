package order

import (
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// render writes a term as the reader of the source would, with the element left
// out: "priority", "key.seq", "len(args)", "rank()". It is empty for an element
// itself.
func render(t *term) string {
	if t.label != "" {
		return t.label
	}
	switch t.op {
	case opConst:
		return t.val.String()
	case opNil:
		return "nil"
	case opAddr, opField:
		return join(render(t.args[0]), fieldName(t))
	case opIndexAt, opIndex, opLookup:
		return renderIndex(t.args[0], t.args[1])
	case opLoad:
		return render(t.args[0])
	case opCommaOK:
		return render(t.args[0]) + " ok"
	case opConv, opAssert, opResult, opNot, opIsNil:
		return render(t.args[0])
	case opNeg:
		return "-" + render(t.args[0])
	case opBin:
		return renderOperand(t.args[0]) + token.Token(t.num).String() + renderOperand(t.args[1])
	case opRel:
		return renderOperand(t.args[0]) + relName(t.rel) + renderOperand(t.args[1])
	case opLen:
		return "len(" + renderArg(t.args[0]) + ")"
	case opCall:
		return renderTermCall(t)
	case opIte:
		return "(" + render(t.args[0]) + " ? " + render(t.args[1]) + " : " + render(t.args[2]) + ")"
	case opThree:
		return "compare(" + renderArg(t.args[0]) + ", " + renderArg(t.args[1]) + ")"
	case opClosure:
		return t.sym.(*ssa.Function).Name()
	}
	return ""
}

func relName(r rel) string {
	switch r &^ relUN {
	case relLT:
		return "<"
	case relLT | relEQ:
		return "<="
	case relGT:
		return ">"
	case relGT | relEQ:
		return ">="
	case relEQ:
		return "=="
	}
	return "!="
}

func join(base, name string) string {
	if base == "" {
		return name
	}
	return base + "." + name
}

func fieldName(t *term) string {
	if v := fieldVar(t); v != nil {
		return v.Name()
	}
	return "field " + strconv.Itoa(t.num)
}

// renderIndex writes x[i]; an element of the comparator's own slice is written
// as nothing.
func renderIndex(x, i *term) string {
	if x.mask == 0 && isHoleIndex(i) {
		return ""
	}
	return render(x) + "[" + renderArg(i) + "]"
}

func isHoleIndex(t *term) bool {
	return t.op == opLeaf && t.mask != 0 && isInteger(t.typ) && (t.num == indexLeaf || t.mask == maskHole)
}

func renderArg(t *term) string {
	if s := render(t); s != "" {
		return s
	}
	return "element"
}

func renderOperand(t *term) string {
	s := renderArg(t)
	if (t.op == opBin || t.op == opRel) && t.label == "" {
		return "(" + s + ")"
	}
	return s
}

func renderTermCall(t *term) string {
	switch s := t.sym.(type) {
	case *types.Func:
		return renderCall(s.Name(), s, t.args)
	case *ssa.Function:
		return renderCall(s.Name(), nil, t.args)
	case string:
		if s == "slice" {
			return renderArg(t.args[0]) + "[:]"
		}
		return renderCall(s, nil, t.args)
	case *term:
		return renderCall(render(s), nil, t.args[1:])
	}
	return "call"
}

// renderCall writes the call of a function or, if fn has a receiver, a method.
func renderCall(name string, fn *types.Func, args []*term) string {
	var recv string
	if fn != nil && fn.Signature().Recv() != nil && len(args) > 0 {
		recv, args = render(args[0]), args[1:]
	}
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = renderArg(a)
	}
	return join(recv, name) + "(" + strings.Join(list, ", ") + ")"
}
