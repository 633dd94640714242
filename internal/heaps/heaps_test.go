package heaps_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/heapvet/heapvet/internal/heaps"
)

func load(t *testing.T, pkg string) *heaps.Package {
	t.Helper()
	dir, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range analysistest.Run(t, dir, heaps.Analyzer, pkg) {
		if r.Pass.Pkg.Path() == pkg {
			return r.Result.(*heaps.Lazy).Package()
		}
	}
	t.Fatalf("no result for %s", pkg)
	return nil
}

func TestTypes(t *testing.T) {
	var got []string
	for _, typ := range load(t, "heaps/kinds").Types {
		var path []string
		for _, f := range typ.Slice {
			path = append(path, f.Name())
		}
		index := "none"
		if typ.Index != nil {
			index = typ.Index.Name()
		}
		got = append(got, fmt.Sprintf("%s known=%v slice=[%s] elem=%v index=%s methods=%d",
			typ.Obj.Name(), typ.Known, strings.Join(path, "."), typ.Elem, index, len(typ.Methods())))
	}
	want := []string{
		"items known=true slice=[] elem=*heaps/kinds.item index=index methods=5",
		"boxed known=true slice=[in.list] elem=T index=none methods=5",
		"reversed known=true slice=[] elem=*heaps/kinds.item index=index methods=5",
		"Queue known=false slice=[] elem=<nil> index=none methods=0",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

func TestOps(t *testing.T) {
	p := load(t, "heaps/kinds")
	var got []string
	for _, op := range p.Ops {
		got = append(got, op.Name()+" "+op.Heap.Type().String())
	}
	want := []string{
		"heap.Push *heaps/kinds.items",
		"heap.Push *heaps/kinds.boxed[T]",
		"heap.Fix *heaps/kinds.reversed",
		"heap.Remove container/heap.Interface",
		"heap.Init *heaps/lib.Queue",
		"heap.Pop *heaps/kinds.items",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

func TestModels(t *testing.T) {
	var table heaps.Table
	for list, want := range map[string]string{
		`[{"package":"p","type":"T","methods":{"Put":"push"}}]`:  "",
		`[{"package":"p","type":"T","methods":{"Put":"shove"}}]`: "no operation",
		`{}`: "want a JSON list",
	} {
		err := table.Set(list)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("Set(%s) = %v, want an error with %q", list, err, want)
		}
	}
}
