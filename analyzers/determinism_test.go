package analyzers_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/heapvet/heapvet/analyzers"
)

// TestSameFindings runs all checks on one package again and again, on one processor
// and on several: all must find the same, in the same order and words.
func TestSameFindings(t *testing.T) {
	src := faulty(5)
	imp := importer.Default()
	first := findings(t, imp, src)
	for _, rule := range []string{"heaplock/unheld", "heaplock/rlock", "heaplock/wrong", "heaplock/path", "heaplock/escape", "heapuse/", "lesscapture/"} {
		if !strings.Contains(first, rule) {
			t.Errorf("no finding of %s to compare", rule)
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for run := range 20 {
		runtime.GOMAXPROCS([]int{1, 8}[run%2])
		if again := findings(t, imp, src); again != first {
			t.Fatalf("run %d differs:\n%s\nfirst:\n%s", run, again, first)
		}
	}
}

// findings type-checks the source, runs all checks on it and prints what they find
// as it comes.
func findings(t *testing.T, imp types.Importer, src string) string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: imp, Sizes: types.SizesFor("gc", "amd64")}
	pkg, err := conf.Check("p", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	results := map[*analysis.Analyzer]any{}
	var run func(a *analysis.Analyzer)
	run = func(a *analysis.Analyzer) {
		if _, ok := results[a]; ok {
			return
		}
		for _, r := range a.Requires {
			run(r)
		}
		pass := &analysis.Pass{
			Analyzer: a, Fset: fset, Files: []*ast.File{f}, Pkg: pkg, TypesInfo: info, TypesSizes: conf.Sizes,
			ResultOf: results, ReadFile: os.ReadFile, Module: &analysis.Module{GoVersion: "1.26"},
			Report:            func(d analysis.Diagnostic) { show(&out, fset, a, d) },
			AllObjectFacts:    func() []analysis.ObjectFact { return nil },
			AllPackageFacts:   func() []analysis.PackageFact { return nil },
			ImportObjectFact:  func(types.Object, analysis.Fact) bool { return false },
			ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false },
			ExportObjectFact:  func(types.Object, analysis.Fact) {},
			ExportPackageFact: func(analysis.Fact) {},
		}
		result, err := a.Run(pass)
		if err != nil {
			t.Fatal(err)
		}
		results[a] = result
	}
	for _, a := range analyzers.All() {
		run(a)
	}
	return out.String()
}

// show prints all of a finding.
func show(out *strings.Builder, fset *token.FileSet, a *analysis.Analyzer, d analysis.Diagnostic) {
	fmt.Fprintf(out, "%v-%v: %s (%s/%s)\n", fset.Position(d.Pos), fset.Position(d.End), d.Message, a.Name, d.Category)
	for _, r := range d.Related {
		fmt.Fprintf(out, "\t%v: %s\n", fset.Position(r.Pos), r.Message)
	}
	for _, fix := range d.SuggestedFixes {
		fmt.Fprintf(out, "\tfix: %s\n", fix.Message)
		for _, e := range fix.TextEdits {
			fmt.Fprintf(out, "\t\t%v-%v %q\n", fset.Position(e.Pos), fset.Position(e.End), e.NewText)
		}
	}
}

// faulty returns a package of n types with faults of many kinds.
func faulty(n int) string {
	var b strings.Builder
	b.WriteString("package p\n\nimport (\n\t\"container/heap\"\n\t\"sync\"\n)\n")
	for i := range n {
		fmt.Fprintf(&b, faultyType, i)
	}
	return b.String()
}

const faultyType = `
type item%[1]d struct {
	key, index int
}

type items%[1]d []*item%[1]d

func (h items%[1]d) Len() int           { return len(h) }
func (h items%[1]d) Less(i, j int) bool { return h[i].key <= h[j].key }
func (h items%[1]d) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *items%[1]d) Push(x any)        { *h = append(*h, x.(*item%[1]d)) }
func (h *items%[1]d) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

type ranked%[1]d struct {
	list []int
	less func(a, b int) bool
}

func (h *ranked%[1]d) Len() int           { return len(h.list) }
func (h *ranked%[1]d) Less(i, j int) bool { return h.less(h.list[i], h.list[j]) }
func (h *ranked%[1]d) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *ranked%[1]d) Push(x any)         { h.list = append(h.list, x.(int)) }
func (h *ranked%[1]d) Pop() any {
	x := h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	return x
}

func sorted%[1]d(xs []int) []int {
	reverse := false
	h := &ranked%[1]d{less: func(a, b int) bool {
		if reverse {
			return a > b
		}
		return a < b
	}}
	for _, x := range xs {
		heap.Push(h, x)
	}
	reverse = true
	return []int{heap.Pop(h).(int)}
}

// Queue%[1]d is shared. mu guards items.
type Queue%[1]d struct {
	mu    sync.RWMutex
	other sync.Mutex
	items items%[1]d
}

func (q *Queue%[1]d) Put(x *item%[1]d) {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.items, x)
}

func (q *Queue%[1]d) Get() *item%[1]d {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return nil
	}
	return heap.Pop(&q.items).(*item%[1]d)
}

func (q *Queue%[1]d) Bare(x *item%[1]d) { heap.Push(&q.items, x) }

func (q *Queue%[1]d) Reading(x *item%[1]d) {
	q.mu.RLock()
	defer q.mu.RUnlock()
	heap.Push(&q.items, x)
}

func (q *Queue%[1]d) Other(x *item%[1]d) {
	q.other.Lock()
	defer q.other.Unlock()
	heap.Push(&q.items, x)
}

func (q *Queue%[1]d) Some(x *item%[1]d) {
	if x.key > 0 {
		q.mu.Lock()
	}
	heap.Push(&q.items, x)
	if x.key > 0 {
		q.mu.Unlock()
	}
}

func (q *Queue%[1]d) Later(x *item%[1]d) {
	q.mu.Lock()
	defer q.mu.Unlock()
	go func() {
		heap.Push(&q.items, x)
	}()
}

func (q *Queue%[1]d) Items() items%[1]d {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return q.items
}

func (q *Queue%[1]d) Rename(x *item%[1]d, key int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	x.key = key
	q.items.Push(x)
}
`
