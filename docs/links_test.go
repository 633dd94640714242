package docs_test

import (
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// TestLinks: links between the pages of the repository lead to files that exist,
// and to headings that exist. Links elsewhere are not followed.
func TestLinks(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]*page{}
	for _, name := range markdownFiles(t, root) {
		pages[name] = parse(t, filepath.Join(root, filepath.FromSlash(name)))
	}
	if len(pages) < 3 {
		t.Fatalf("only %d pages found", len(pages))
	}
	for name, p := range pages {
		for _, link := range p.links {
			checkLink(t, root, name, link, pages)
		}
	}
}

// TestIndex: every page of the documentation is reached from its index.
func TestIndex(t *testing.T) {
	reached := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if reached[name] || !strings.HasSuffix(name, ".md") {
			return
		}
		reached[name] = true
		for _, link := range parse(t, filepath.FromSlash(name)).links {
			u, err := url.Parse(link)
			if err == nil && u.Scheme == "" && u.Path != "" {
				visit(path.Join(path.Dir(name), u.Path))
			}
		}
	}
	visit("README.md")
	for _, name := range markdownFiles(t, ".") {
		if !reached[name] {
			t.Errorf("no link leads from docs/README.md to docs/%s", name)
		}
	}
}

func checkLink(t *testing.T, root, from, link string, pages map[string]*page) {
	u, err := url.Parse(link)
	if err != nil {
		t.Errorf("%s: link %s: %v", from, link, err)
		return
	}
	if u.Scheme != "" || u.Host != "" {
		return
	}
	to := from
	if u.Path != "" {
		to = path.Join(path.Dir(from), u.Path)
	}
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(to))); err != nil {
		t.Errorf("%s: link %s: %v", from, link, err)
		return
	}
	if p := pages[to]; u.Fragment != "" && (p == nil || !p.headings[u.Fragment]) {
		t.Errorf("%s: link %s: there is no such heading", from, link)
	}
}

// markdownFiles returns the Markdown files that git knows or could know below
// dir, relative to it.
func markdownFiles(t *testing.T, dir string) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("git does not list the files: %v", err)
	}
	var names []string
	for name := range strings.FieldsSeq(string(out)) {
		if !strings.HasPrefix(name, "testdata/") {
			names = append(names, name)
		}
	}
	return names
}

// A page is what matters of a Markdown file.
type page struct {
	links    []string
	headings map[string]bool
}

func parse(t *testing.T, file string) *page {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	p := &page{headings: map[string]bool{}}
	err = ast.Walk(md.Parser().Parse(text.NewReader(source)), func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		if !enter {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			p.links = append(p.links, string(n.Destination))
		case *ast.Image:
			p.links = append(p.links, string(n.Destination))
		case *ast.Heading:
			if id, ok := n.AttributeString("id"); ok {
				p.headings[string(id.([]byte))] = true
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
