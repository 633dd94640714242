package printer

import (
	"bytes"
	"image"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heapvet/heapvet/internal/frontend/finding"
	"github.com/heapvet/heapvet/internal/frontend/source"
)

func TestPathOf(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	const text = `package p

func outer() {
	middle()
}

func middle() {
	inner()
}

func inner() {
	access()
}

func (t T) Len() int { return t.s.Len() }

func (s S) Len() int { return len(s) }

func other() {
	t.Len()
}
`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	at := func(line int) finding.Position { return finding.Position{File: file, Line: line, Col: 2} }
	for _, test := range []struct {
		name  string
		at    int
		calls []int
		want  []int
	}{
		{"at the access", 12, []int{4, 8}, []int{4, 8, 12}},
		{"at the outermost call", 4, []int{8, 12}, []int{4, 8, 12}},
		{"between", 8, []int{4, 12}, []int{4, 8, 12}},
		{"alone", 12, nil, []int{12}},
		{"functions on one line, of one name", 20, []int{15, 17}, []int{20, 15, 17}},
		{"unknown", 12, []int{1, 2}, []int{1, 2, 12}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &finding.Finding{Start: at(test.at)}
			for _, line := range test.calls {
				f.Related = append(f.Related, finding.Related{Start: at(line), Message: "on the way: f"})
			}
			held := finding.Related{Start: at(3), Message: "mu is held here"}
			f.Related = append(f.Related, held, held, finding.Related{Start: at(3), Message: "the other"})
			way := pathOf(f, &source.Cache{})
			var got []int
			for _, s := range way.Steps {
				got = append(got, s.Start.Line)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if way.Steps[way.Finding].Start != f.Start || len(way.Held) != 1 {
				t.Errorf("%+v", way)
			}
		})
	}
}

func TestSubject(t *testing.T) {
	for message, want := range map[string]string{
		"heap.Pop of Queue.jobs without mu, which guards it":                    "Queue.jobs",
		"read of shared without sharedMu, on some paths":                        "shared",
		"goes through NSQD.topicMap without RWMutex, under which it is changed": "NSQD.topicMap",
		"prints a Q with all its fields, Queue[K].items among them, without mu": "Queue[K].items",
		"heap.Push of Owner.work.h in a goroutine, which runs without mu":       "Owner.work.h",
		"something else": "the data",
	} {
		if got := subject(message); got != want {
			t.Errorf("%q is about %q, want %q", message, got, want)
		}
	}
}

func TestHighlight(t *testing.T) {
	var h highlighter
	file := source.NewFile([]byte("package p\n\nvar s = `a<\nb` + \"<\" /* x\ny */ + 12\n"))
	for n, want := range []string{
		`<span class="k">package</span> p`, "",
		`<span class="k">var</span> s = <span class="s">` + "`a&lt;</span>",
		`<span class="s">b` + "`" + `</span> + <span class="s">&#34;&lt;&#34;</span> <span class="c">/* x</span>`,
		`<span class="c">y */</span> + <span class="n">12</span>`,
	} {
		if got := string(h.line(file, n+1, false)); got != want {
			t.Errorf("line %d is %s, want %s", n+1, got, want)
		}
	}
	if got := string(h.marked(file, 3, 5, 6)); !strings.Contains(got, "<u>s</u>") {
		t.Errorf("marked: %s", got)
	}
	if got := string(h.line(nil, 1, true)); got != "" {
		t.Errorf("no file: %q", got)
	}
}

// A page must not load anything: it is mailed, archived and read without network.
func TestHTMLIsSelfContained(t *testing.T) {
	page := string(printed(t, Format{Print: HTML}, sample(t)))
	for _, s := range []string{"<link", "src=", "@import", "url(", "fetch("} {
		if strings.Contains(page, s) {
			t.Errorf("the page has %q", s)
		}
	}
	for _, s := range []string{"<script>alert", "<sure>"} {
		if strings.Contains(page, s) {
			t.Errorf("%q is not escaped", s)
		}
	}
}

// TestHTMLInBrowser looks at the page in Chromium, light and dark, wide and narrow:
// the style sheet must be in force, nothing may stick out to the side, and the
// filter must work.
func TestHTMLInBrowser(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("no Chromium here; CONTRIBUTING.md says how to install one")
	}
	dir := t.TempDir()
	page := filepath.Join(dir, "page.html")
	probe := `<script>
		const f = document.getElementById("filter"); f.value = "equal elements"; f.dispatchEvent(new Event("input"));
		const shown = [...document.querySelectorAll(".finding")].filter(f => !f.hidden).length;
		f.value = ""; f.dispatchEvent(new Event("input"));
		document.title = "overflow " + (document.documentElement.scrollWidth > innerWidth) + ", shown " + shown;
	</script>`
	text := bytes.Replace(printed(t, Format{Print: HTML}, sample(t)), []byte("</body>"), []byte(probe+"</body>"), 1)
	if err := os.WriteFile(page, text, 0o666); err != nil {
		t.Fatal(err)
	}
	chromium := func(args ...string) []byte {
		t.Helper()
		args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--user-data-dir=" + filepath.Join(dir, "profile")}, args...)
		out, err := exec.Command(browser, append(args, "file://"+page)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for name, size := range map[string]string{"wide": "1280,900", "narrow": "500,900"} {
		for scheme, setting := range map[string]string{"light": "1", "dark": "0"} {
			shot := filepath.Join(dir, name+scheme+".png")
			dom := chromium("--window-size="+size, "--blink-settings=preferredColorScheme="+setting, "--screenshot="+shot, "--dump-dom")
			if want := "<title>overflow false, shown 1</title>"; !bytes.Contains(dom, []byte(want)) {
				t.Errorf("%s, %s: no %s in\n%.400s", name, scheme, want, dom)
			}
			r, err := os.Open(shot)
			if err != nil {
				// Some versions do one of the two only.
				chromium("--window-size="+size, "--blink-settings=preferredColorScheme="+setting, "--screenshot="+shot)
				if r, err = os.Open(shot); err != nil {
					t.Fatal(err)
				}
			}
			defer r.Close()
			img, _, err := image.Decode(r)
			if err != nil {
				t.Fatal(err)
			}
			brightness, _, _, _ := img.At(2, 2).RGBA()
			if light := brightness > 0x8000; light != (scheme == "light") {
				t.Errorf("%s, %s: brightness of the background is %#x", name, scheme, brightness)
			}
			if n := colours(img); n < 20 {
				t.Errorf("%s, %s: the page has %d colours; is it blank?", name, scheme, n)
			}
		}
	}
}

func colours(img image.Image) int {
	seen := map[[3]uint32]bool{}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y += 2 {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x += 2 {
			r, g, b, _ := img.At(x, y).RGBA()
			seen[[3]uint32{r, g, b}] = true
		}
	}
	return len(seen)
}
