package unit

import (
	"bytes"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"os"

	"golang.org/x/tools/go/gcexportdata"
)

// An importer gives the type checker the package's imports: from the compiler's
// export data, or, where the build gives none, from their facts files.
type importer struct {
	cfg  *config
	fset *token.FileSet
	// packages are those seen so far by package path: the imports, and the
	// packages that their types mention, which are incomplete.
	packages map[string]*types.Package
}

func newImporter(cfg *config, fset *token.FileSet) *importer {
	return &importer{cfg: cfg, fset: fset, packages: map[string]*types.Package{}}
}

// Import implements [types.Importer].
func (im *importer) Import(importPath string) (*types.Package, error) {
	id, ok := im.cfg.ImportMap[importPath]
	if !ok {
		return nil, fmt.Errorf("can't resolve import %q", importPath)
	}
	if id == "unsafe" {
		return types.Unsafe, nil
	}
	path := packagePath(id)
	if pkg := im.packages[path]; pkg != nil && pkg.Complete() {
		return pkg, nil
	}
	data, err := im.open(id)
	if err != nil {
		return nil, err
	}
	defer data.Close()
	return gcexportdata.Read(data, im.fset, im.packages, path)
}

func (im *importer) open(id string) (io.ReadCloser, error) {
	if file := im.cfg.PackageFile[id]; file != "" && !im.cfg.exportsTypes() {
		return openExportData(file)
	}
	if file := im.cfg.PackageVetx[id]; file != "" {
		v, err := readVetx(file)
		if err != nil {
			return nil, err
		}
		if len(v.types) > 0 {
			return io.NopCloser(bytes.NewReader(v.types)), nil
		}
	}
	return nil, fmt.Errorf("no package file for %q", id)
}

// openExportData opens the part of a compiled package that describes its types.
func openExportData(file string) (io.ReadCloser, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	//lint:ignore SA1019 the go command gives archives up to Go 1.28, and this is what reads both them and what follows
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{r, f}, nil
}
