// Package facts keeps the facts of one package's analysis, and reads and writes
// them as the files that a build system carries from a package to its importers.
//
// It does the work of x/tools' internal facts package, with the same meaning:
// the file of a package holds its own facts and those about objects of its
// dependencies that its importers can come to through it, so an importer needs
// the files of its direct imports only. Three things differ. Facts about objects
// that no importer can come to are left out, so that the file of most packages
// is empty, and empty files are what lets a dependency be answered without
// looking at its source. Packages are found through the importer instead of by a
// walk over all types in sight. And the bytes are the same in every run: gob
// numbers types in the order in which a process meets them, so [Register] makes
// it meet them in a fixed one.
package facts

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"go/types"
	"io"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/objectpath"
)

// A Set is the facts in sight of one package's analysis: those read from its
// imports and those exported so far. Its Import, Export and All methods are the
// functions of that name of an [analysis.Pass], and may be called concurrently.
type Set struct {
	pkg *types.Package

	mu sync.Mutex
	m  map[key]analysis.Fact
	// sources are the direct imports whose files held facts.
	sources map[*types.Package]bool
}

type key struct {
	pkg *types.Package
	obj types.Object // nil for a fact about the package
	t   reflect.Type
}

// NewSet returns an empty set for the analysis of pkg.
func NewSet(pkg *types.Package) *Set {
	return &Set{pkg: pkg, m: map[key]analysis.Fact{}, sources: map[*types.Package]bool{}}
}

// ImportObjectFact copies the fact about obj of ptr's type to *ptr, and reports
// whether there is one.
func (s *Set) ImportObjectFact(obj types.Object, ptr analysis.Fact) bool {
	if obj == nil {
		panic("nil object")
	}
	return s.get(key{obj.Pkg(), obj, reflect.TypeOf(ptr)}, ptr)
}

// ImportPackageFact copies the fact about pkg of ptr's type to *ptr, and reports
// whether there is one.
func (s *Set) ImportPackageFact(pkg *types.Package, ptr analysis.Fact) bool {
	if pkg == nil {
		panic("nil package")
	}
	return s.get(key{pkg, nil, reflect.TypeOf(ptr)}, ptr)
}

func (s *Set) get(k key, ptr analysis.Fact) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.m[k]
	if ok {
		reflect.ValueOf(ptr).Elem().Set(reflect.ValueOf(v).Elem())
	}
	return ok
}

// ExportObjectFact records a fact about an object of the package under analysis,
// in place of an earlier one of its type.
func (s *Set) ExportObjectFact(obj types.Object, fact analysis.Fact) {
	if obj.Pkg() != s.pkg {
		panic(fmt.Sprintf("in package %s: ExportObjectFact(%s, %T): the object belongs to another package", s.pkg.Path(), obj, fact))
	}
	s.put(key{s.pkg, obj, reflect.TypeOf(fact)}, fact)
}

// ExportPackageFact records a fact about the package under analysis, in place of
// an earlier one of its type.
func (s *Set) ExportPackageFact(fact analysis.Fact) {
	s.put(key{s.pkg, nil, reflect.TypeOf(fact)}, fact)
}

func (s *Set) put(k key, fact analysis.Fact) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = fact
}

// AllObjectFacts returns the facts about objects whose types are in the filter,
// sorted by package and position.
func (s *Set) AllObjectFacts(filter map[reflect.Type]bool) []analysis.ObjectFact {
	var all []analysis.ObjectFact
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, f := range s.m {
		if k.obj != nil && filter[k.t] {
			all = append(all, analysis.ObjectFact{Object: k.obj, Fact: f})
		}
	}
	slices.SortFunc(all, func(x, y analysis.ObjectFact) int {
		return cmp.Or(
			cmp.Compare(x.Object.Pkg().Path(), y.Object.Pkg().Path()),
			cmp.Compare(x.Object.Pos(), y.Object.Pos()),
			cmp.Compare(x.Object.String(), y.Object.String()),
			compareTypes(x.Fact, y.Fact),
		)
	})
	return all
}

// AllPackageFacts returns the facts about packages whose types are in the filter,
// sorted by package.
func (s *Set) AllPackageFacts(filter map[reflect.Type]bool) []analysis.PackageFact {
	var all []analysis.PackageFact
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, f := range s.m {
		if k.obj == nil && filter[k.t] {
			all = append(all, analysis.PackageFact{Package: k.pkg, Fact: f})
		}
	}
	slices.SortFunc(all, func(x, y analysis.PackageFact) int {
		return cmp.Or(cmp.Compare(x.Package.Path(), y.Package.Path()), compareTypes(x.Fact, y.Fact))
	})
	return all
}

func compareTypes(x, y analysis.Fact) int {
	return cmp.Compare(reflect.TypeOf(x).String(), reflect.TypeOf(y).String())
}

// An entry is a fact in a file.
type entry struct {
	PkgPath string
	Object  objectpath.Path // empty for a fact about the package
	Fact    analysis.Fact
}

// Register makes the fact types of the analyzers, and of all that they require,
// known to the encoding. It must be called before any Decode or Encode, with the
// same analyzers in every process that reads or writes the same files.
func Register(analyzers []*analysis.Analyzer) {
	var all []analysis.Fact
	seen := map[*analysis.Analyzer]bool{}
	var visit func([]*analysis.Analyzer)
	visit = func(analyzers []*analysis.Analyzer) {
		for _, a := range analyzers {
			if !seen[a] {
				seen[a] = true
				all = append(all, a.FactTypes...)
				visit(a.Requires)
			}
		}
	}
	visit(analyzers)
	slices.SortFunc(all, compareTypes)
	enc := gob.NewEncoder(io.Discard)
	for _, f := range all {
		gob.Register(f)
		// Numbers the type; a fact that cannot be encoded is found when
		// there is one to encode, with its package's name.
		_ = enc.Encode([]entry{{Fact: f}})
	}
}

// Decode adds the facts of a file that [Set.Encode] wrote for the direct import
// imp. Facts about a package for which find returns nil, or about an object that
// its types do not show, are left out: nothing in this analysis can ask for them.
func (s *Set) Decode(imp *types.Package, data []byte, find func(path string) *types.Package) error {
	if len(data) == 0 {
		return nil
	}
	var entries []entry
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&entries); err != nil {
		return fmt.Errorf("decoding the facts of %q: %w", imp.Path(), err)
	}
	s.sources[imp] = true
	for _, e := range entries {
		pkg := find(e.PkgPath)
		if pkg == nil {
			continue
		}
		k := key{pkg: pkg, t: reflect.TypeOf(e.Fact)}
		if e.Object != "" {
			obj, err := objectpath.Object(pkg, e.Object)
			if err != nil {
				continue
			}
			k.obj = obj
		}
		s.put(k, e.Fact)
	}
	return nil
}

// Encode returns the content of the package's file, which is empty if there is
// nothing in it for an importer.
func (s *Set) Encode() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entries := s.entries()
	if len(entries) == 0 {
		return nil, nil
	}
	slices.SortFunc(entries, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.PkgPath, y.PkgPath), cmp.Compare(x.Object, y.Object), compareTypes(x.Fact, y.Fact))
	})
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(entries); err != nil {
		return nil, culprit(entries, err)
	}
	return buf.Bytes(), nil
}

func (s *Set) entries() []entry {
	if len(s.m) == 0 {
		return nil
	}
	var (
		entries []entry
		paths   objectpath.Encoder
		reach   = reachable(s.pkg, s.sealed())
	)
	for k, f := range s.m {
		if k.obj == nil {
			if k.pkg == s.pkg {
				entries = append(entries, entry{PkgPath: k.pkg.Path(), Fact: f})
			}
			continue
		}
		if !reach[k.obj] {
			continue
		}
		if path, err := paths.For(k.obj); err == nil {
			entries = append(entries, entry{PkgPath: k.pkg.Path(), Object: path, Fact: f})
		}
	}
	return entries
}

// sealed returns the direct imports whose types lead to no fact: had they led to
// one, it would have been in their files.
func (s *Set) sealed() map[*types.Package]bool {
	sealed := map[*types.Package]bool{}
	for _, imp := range s.pkg.Imports() {
		if !s.sources[imp] {
			sealed[imp] = true
		}
	}
	return sealed
}

// culprit names the fact for which encoding failed.
func culprit(entries []entry, err error) error {
	for _, e := range entries {
		if err := gob.NewEncoder(io.Discard).Encode(e); err != nil {
			return fmt.Errorf("encoding fact %T about %s %s: %w", e.Fact, e.PkgPath, e.Object, err)
		}
	}
	return err
}
