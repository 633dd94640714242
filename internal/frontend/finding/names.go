package finding

import (
	"path/filepath"
	"strings"
)

// Names shows file names relative to a directory.
type Names struct {
	// Dir is the absolute directory.
	Dir string
}

// Show returns file relative to n.Dir, or file itself where that is shorter, as
// for files of the standard library seen from a home directory.
func (n Names) Show(file string) string {
	if !filepath.IsAbs(file) || n.Dir == "" {
		return file
	}
	rel, err := filepath.Rel(n.Dir, file)
	if err != nil || len(rel) > len(file) || strings.HasPrefix(rel, filepath.Join("..", "..", "..")) {
		return file
	}
	return rel
}

// Slash is Show with forward slashes, for formats that other machines read.
func (n Names) Slash(file string) string { return filepath.ToSlash(n.Show(file)) }
