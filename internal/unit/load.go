package unit

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/gcexportdata"

	"github.com/heapvet/heapvet/internal/facts"
)

// A unit is one package, parsed and type-checked.
type unit struct {
	cfg      *config
	fset     *token.FileSet
	files    []*ast.File
	pkg      *types.Package
	info     *types.Info
	sizes    types.Sizes
	importer *importer
}

// load parses and type-checks the package. Its error is a [scanner.ErrorList], a
// [types.Error], or that of a file.
func load(cfg *config) (*unit, error) {
	u := &unit{cfg: cfg, fset: token.NewFileSet(), sizes: types.SizesFor("gc", build.Default.GOARCH)}
	for _, name := range cfg.GoFiles {
		f, err := parser.ParseFile(u.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		u.files = append(u.files, f)
	}
	u.importer = newImporter(cfg, u.fset)
	u.info = &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Instances:    map[*ast.Ident]types.Instance{},
		Scopes:       map[ast.Node]*types.Scope{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		FileVersions: map[*ast.File]string{},
	}
	tc := &types.Config{Importer: u.importer, Sizes: u.sizes, GoVersion: cfg.GoVersion}
	pkg, err := tc.Check(packagePath(cfg.ImportPath), u.fset, u.files, u.info)
	if err != nil {
		return nil, err
	}
	u.pkg = pkg
	return u, nil
}

// readFacts returns the facts of the package's imports.
func (u *unit) readFacts() (*facts.Set, error) {
	set := facts.NewSet(u.pkg)
	find := func(path string) *types.Package { return u.importer.packages[path] }
	for _, id := range slices.Sorted(maps.Keys(u.cfg.PackageVetx)) {
		imp := find(packagePath(id))
		if imp == nil {
			continue // not imported by the source, as runtime/cgo
		}
		v, err := readVetx(u.cfg.PackageVetx[id])
		if err != nil {
			return nil, err
		}
		if err := set.Decode(imp, v.facts, find); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// writeFacts writes the facts file of the package.
func (u *unit) writeFacts(set *facts.Set) error {
	var (
		v   vetx
		err error
	)
	if v.facts, err = set.Encode(); err != nil {
		return err
	}
	if u.cfg.exportsTypes() {
		var buf bytes.Buffer
		if err := gcexportdata.Write(&buf, u.fset, u.pkg); err != nil {
			return err
		}
		v.types = buf.Bytes()
	}
	return u.cfg.writeVetx(v)
}
