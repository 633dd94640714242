// Package heaplist prints the inventory of heaps, as a table and as JSON.
package heaplist

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/inventory"
)

// JSONVersion is the version of the JSON format. It grows when a field changes its
// meaning or goes away.
const JSONVersion = 1

// A List is the inventory of some packages, as its JSON shows it.
type List struct {
	Version int    `json:"version"`
	Heaps   []Heap `json:"heaps"`
}

// A Heap is one heap, with the position of the field or variable that holds it.
type Heap struct {
	Package string `json:"package"`
	inventory.Record
	Position
	Uses []Use `json:"uses"`
}

// A Use is a place that uses a heap.
type Use struct {
	inventory.Use
	Position
}

// A Position is a place in a source file; Line and Column count from one.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// New makes the list from the diagnostics of [inventory.Analyzer]. It returns an
// error if one is of another making.
func New(findings []*finding.Finding, names finding.Names) (*List, error) {
	l := &List{Version: JSONVersion, Heaps: []Heap{}}
	position := func(p finding.Position) Position { return Position{names.Slash(p.File), p.Line, p.Col} }
	for _, f := range findings {
		h := Heap{Package: f.Package, Position: position(f.Start), Uses: []Use{}}
		if err := json.Unmarshal([]byte(f.Message), &h.Record); err != nil {
			return nil, fmt.Errorf("reading the inventory of %s: %w", f.Package, err)
		}
		for _, r := range f.Related {
			u := Use{Position: position(r.Start)}
			if err := json.Unmarshal([]byte(r.Message), &u.Use); err != nil {
				return nil, fmt.Errorf("reading the inventory of %s: %w", f.Package, err)
			}
			h.Uses = append(h.Uses, u)
		}
		l.Heaps = append(l.Heaps, h)
	}
	slices.SortStableFunc(l.Heaps, func(a, b Heap) int { return cmp.Compare(a.Package, b.Package) })
	return l, nil
}

// JSON writes the list as one object.
func (l *List) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(l)
}

// Table writes the list for people: a table for each package, with every use below
// its heap if asked for.
func (l *List) Table(w io.Writer, uses bool) error {
	if len(l.Heaps) == 0 {
		_, err := fmt.Fprintln(w, "no heaps")
		return err
	}
	var out strings.Builder
	for i := 0; i < len(l.Heaps); {
		pkg := l.Heaps[i].Package
		end := i
		for end < len(l.Heaps) && l.Heaps[end].Package == pkg {
			end++
		}
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(pkg + "\n")
		table(&out, l.Heaps[i:end], uses)
		i = end
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func table(out *strings.Builder, heaps []Heap, uses bool) {
	var rows strings.Builder
	tw := tabwriter.NewWriter(&rows, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  HEAP\tGUARD\tWITH\tWITHOUT\tDECLARED\tBECAUSE")
	for _, h := range heaps {
		fmt.Fprintf(tw, "  %s\t%s\t%d\t%d\t%s\t%s\n", h.Heap, h.guard(), h.With, h.Without, h.Position, h.Because)
	}
	tw.Flush() // a strings.Builder takes everything
	i := -1    // the heading
	for row := range strings.Lines(rows.String()) {
		out.WriteString(row)
		if uses && i >= 0 {
			for _, u := range heaps[i].Uses {
				fmt.Fprintf(out, "      %s: %s in %s: %s\n", u.Position, u.What, u.Func, words[u.Held])
			}
		}
		i++
	}
}

// guard is the lock, or in brackets why there is none.
func (h *Heap) guard() string {
	if h.State == inventory.Guarded {
		return h.Guard
	}
	return "(" + string(h.State) + ")"
}

// words says for people what inventory.Use.Held says.
var words = map[string]string{
	"yes":       "held",
	"read":      "held for reading",
	"sometimes": "held on some ways",
	"no":        "not held",
	"unshared":  "not shared yet",
	"exempt":    "left to its caller or owner",
}
