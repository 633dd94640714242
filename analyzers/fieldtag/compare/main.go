// Compare runs fieldtag and four other tools over the same sources and prints, as
// Markdown, who reports which lines.
//
//	go run ./analyzers/fieldtag/compare [-revive DIR] >table.md
//
// The sources are the tools' own public test inputs and those of fieldtag. All but
// those of revive come through the module proxy; its test inputs are a module of
// their own that is not published, so -revive names a checkout of its repository.
//
// It must run at the root of the repository and needs the network.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// The versions that are compared.
const (
	toolsModule   = "golang.org/x/tools@v0.52.0"
	honnefModule  = "honnef.co/go/tools@v0.8.2"
	reviveModule  = "github.com/mgechev/revive@v1.17.1"
	kubeAPIModule = "sigs.k8s.io/kube-api-linter@v0.0.0-20260716143926-092fe0c72997"
)

// A line is a line of a source, by its name below the work directory.
type line struct {
	file string
	line int
}

// reports holds what a tool says, by line; a text begins with the rule, in brackets.
type reports map[line][]string

func main() {
	log.SetFlags(0)
	revive := flag.String("revive", "", "a checkout of github.com/mgechev/revive")
	flag.Parse()
	work, err := os.MkdirTemp("", "compare")
	check(err)
	defer os.RemoveAll(work)
	work, err = filepath.EvalSymlinks(work)
	check(err)
	c := comparison{root: output(".", "go", "list", "-m", "-f", "{{.Dir}}"), work: work}
	c.collect(*revive)
	c.run()
	c.print()
}

type comparison struct {
	root, work string
	sets       []string // of inputs
	tools      []string
	found      map[string]reports
}

// collect copies the inputs into one module.
func (c *comparison) collect(revive string) {
	check(os.WriteFile(filepath.Join(c.work, "go.mod"), []byte("module inputs\n\ngo 1.26.0\n"), 0o666))
	vet := moduleDir(toolsModule) + "/go/analysis/passes/structtag/testdata/src"
	c.add("vet", "a", vet+"/a/a.go")
	c.add("vet", "a/b", vet+"/a/b/b.go")
	sa := moduleDir(honnefModule) + "/staticcheck/sa5008/testdata"
	for _, f := range glob(sa + "/*/*/*.go") {
		c.add("SA5008", strings.TrimSuffix(filepath.Base(f), ".go"), f)
	}
	if revive != "" {
		c.add("revive", "tag", revive+"/testdata/struct_tag.go")
		declareMissing(filepath.Join(c.work, "revive", "tag"))
	}
	kal := moduleDir(kubeAPIModule) + "/pkg/analysis"
	for _, linter := range kubeLinters {
		for _, f := range glob(kal + "/" + linter + "/testdata/src/[a-z]/*.go") {
			c.add("kube-api-linter", linter+"/"+filepath.Base(filepath.Dir(f)), f)
		}
	}
	for _, f := range glob(c.root + "/testdata/src/fieldtag/*/*.go") {
		c.add("fieldtag", filepath.Base(filepath.Dir(f)), f)
	}
	output(c.work, "go", "mod", "tidy", "-e")
	c.dropBroken()
}

// kubeLinters are the linters whose subject are tags and markers of fields. (The one
// that wants a marker on every field would report nearly every line.)
var kubeLinters = []string{"jsontags", "optionalfields", "requiredfields", "defaultorrequired", "ssatags"}

func (c *comparison) add(set, pkg, file string) {
	if len(c.sets) == 0 || c.sets[len(c.sets)-1] != set {
		c.sets = append(c.sets, set)
	}
	src, err := os.ReadFile(file)
	check(err)
	dir := filepath.Join(c.work, set, pkg)
	check(os.MkdirAll(dir, 0o777))
	text := strings.ReplaceAll(string(src), `"a/b"`, `"inputs/vet/a/b"`)
	if set == "revive" {
		text = whole(text)
	}
	check(os.WriteFile(filepath.Join(dir, filepath.Base(file)), []byte(text), 0o666))
}

// whole makes a source of revive's compile, as its inputs are parsed only: it numbers
// the types and fields that are there twice, and declares what is not declared. Lines
// stay what they are.
func whole(text string) string {
	text = regexp.MustCompile(`\b(\w+)\.(\w+)([\s\[]|$)`).ReplaceAllStringFunc(text, func(s string) string {
		if strings.HasPrefix(s, "time.") {
			return s
		}
		return strings.Replace(s, ".", "_", 1)
	})
	seen := map[string]int{}
	field := regexp.MustCompile(`^\t(\w+)(\s+\S.*)$`)
	var out []string
	for i, l := range strings.Split(text, "\n") {
		if name, ok := strings.CutPrefix(l, "type "); ok {
			clear(seen)
			name, rest, _ := strings.Cut(name, " ")
			l = fmt.Sprintf("type %s_%d %s", name, i, rest)
		}
		if m := field.FindStringSubmatch(l); m != nil && m[1] != "_" {
			if seen[m[1]]++; seen[m[1]] > 1 {
				l = fmt.Sprintf("\t%s_again%d%s", m[1], seen[m[1]], m[2])
			}
		}
		out = append(out, l)
	}
	return strings.Join(out, "\n")
}

// declareMissing adds a file that declares the types that a package lacks.
func declareMissing(dir string) {
	cmd := exec.Command("go", "build", "-gcflags=-e", ".")
	cmd.Dir = dir
	text, _ := cmd.CombinedOutput()
	missing := map[string]bool{}
	for _, m := range regexp.MustCompile(`undefined: (\w+)`).FindAllStringSubmatch(string(text), -1) {
		missing[m[1]] = true
	}
	src := "package fixtures\n"
	for _, name := range sortedKeys(missing) {
		src += fmt.Sprintf("\ntype %s struct{}\n", name)
	}
	check(os.WriteFile(filepath.Join(dir, "missing.go"), []byte(src), 0o666))
}

func sortedKeys(m map[string]bool) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// dropBroken removes the packages that do not compile here: no tool sees them.
func (c *comparison) dropBroken() {
	for dir := range strings.FieldsSeq(output(c.work, "go", "list", "-e", "-f", "{{.Dir}}", "./...")) {
		cmd := exec.Command("go", "build", ".")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			log.Printf("left out, as it does not compile: %s\n%s", strings.TrimPrefix(dir, c.work), firstLines(string(out), 3))
			check(os.RemoveAll(dir))
		}
	}
}

// run runs all tools.
func (c *comparison) run() {
	bin := filepath.Join(c.work, ".bin")
	check(os.Mkdir(bin, 0o777))
	output(c.root, "go", "build", "-o", bin+"/heapvet", "./cmd/heapvet")
	c.tools = []string{"vet", "SA5008", "revive", "kube-api-linter", "fieldtag"}
	c.found = map[string]reports{
		"vet":             c.vet("go", "vet", "-json", "-structtag", "./..."),
		"fieldtag":        c.vet("go", "vet", "-json", "-vettool="+bin+"/heapvet", "-fieldtag", "-fieldtag.generated", "./..."),
		"SA5008":          c.staticcheck(bin),
		"revive":          c.revive(bin),
		"kube-api-linter": c.kubeAPILinter(bin),
	}
}

var position = regexp.MustCompile(`^(.*?):(\d+)(?::\d+)?$`)

func (r reports) add(work, posn, text string) {
	m := position.FindStringSubmatch(posn)
	if m == nil {
		return
	}
	at := line{file: strings.TrimPrefix(strings.TrimPrefix(m[1], work), "/")}
	fmt.Sscan(m[2], &at.line)
	for _, old := range r[at] {
		if old == text {
			return
		}
	}
	r[at] = append(r[at], text)
}

// vet runs a command that prints as go vet -json does.
func (c *comparison) vet(command ...string) reports {
	found := reports{}
	c.read(output(c.work, command...), found)
	return found
}

// read reads what go vet -json prints.
func (c *comparison) read(text string, found reports) {
	var objects strings.Builder
	for l := range strings.Lines(text) {
		if !strings.HasPrefix(l, "#") {
			objects.WriteString(l)
		}
	}
	dec := json.NewDecoder(strings.NewReader(objects.String()))
	for {
		var packages map[string]map[string]json.RawMessage
		if dec.Decode(&packages) != nil {
			return
		}
		for _, analyzers := range packages {
			for name, raw := range analyzers {
				var diagnostics []struct{ Posn, Message, Category string }
				if json.Unmarshal(raw, &diagnostics) != nil {
					log.Printf("%s: %s", name, raw)
				}
				for _, d := range diagnostics {
					found.add(c.work, d.Posn, fmt.Sprintf("[%s] %s", or(d.Category, name), d.Message))
				}
			}
		}
	}
}

func (c *comparison) staticcheck(bin string) reports {
	install(bin, strings.Replace(honnefModule, "@", "/cmd/staticcheck@", 1))
	found := reports{}
	for l := range strings.Lines(output(c.work, bin+"/staticcheck", "-checks", "SA5008", "-f", "json", "./...")) {
		var d struct {
			Code, Message string
			Location      struct {
				File string
				Line int
			}
		}
		if json.Unmarshal([]byte(l), &d) == nil {
			found.add(c.work, fmt.Sprintf("%s:%d", d.Location.File, d.Location.Line), fmt.Sprintf("[%s] %s", d.Code, d.Message))
		}
	}
	return found
}

// reviveMain runs the one rule of revive. (Its command needs a module that the proxy
// does not have.) Its arguments are files, those of a package together.
const reviveMain = `package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/mgechev/revive/lint"
	"github.com/mgechev/revive/rule"
)

func main() {
	packages := map[string][]string{}
	for _, file := range os.Args[1:] {
		dir := filepath.Dir(file)
		packages[dir] = append(packages[dir], file)
	}
	var list [][]string
	for _, files := range packages {
		list = append(list, files)
	}
	linter := lint.New(os.ReadFile, 100)
	failures, err := linter.Lint(list, []lint.Rule{&rule.StructTagRule{}}, lint.Config{Rules: lint.RulesConfig{"struct-tag": {}}})
	if err != nil {
		panic(err)
	}
	for f := range failures {
		fmt.Printf("%s:%d\t%s\n", f.Position.Start.Filename, f.Position.Start.Line, f.Failure)
	}
}
`

func (c *comparison) revive(bin string) reports {
	c.build(bin, "revive", reviveMain, reviveModule)
	found := reports{}
	args := append([]string{bin + "/revive"}, c.files()...)
	for l := range strings.Lines(output(c.work, args...)) {
		posn, text, _ := strings.Cut(strings.TrimSpace(l), "\t")
		found.add(c.work, posn, "[struct-tag] "+text)
	}
	return found
}

// files returns all source files.
func (c *comparison) files() []string {
	var files []string
	check(filepath.WalkDir(c.work, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".bin" {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".go") {
			files = append(files, path)
		}
		return err
	}))
	return files
}

// build makes a command of a source and the module that it needs.
func (c *comparison) build(bin, name, src, module string) {
	dir := filepath.Join(bin, "src-"+name)
	check(os.MkdirAll(dir, 0o777))
	check(os.WriteFile(filepath.Join(dir, "main.go"), []byte(src), 0o666))
	check(os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+name+"\n\ngo 1.26.0\n"), 0o666))
	output(dir, "go", "mod", "edit", "-require="+module)
	output(dir, "go", "mod", "tidy", "-e")
	output(dir, "go", "build", "-o", filepath.Join(bin, name), ".")
}

// kubeMain is a command of the linters, which are published as a plugin only.
const kubeMain = `package main

import (
	"golang.org/x/tools/go/analysis/multichecker"
	"sigs.k8s.io/kube-api-linter/pkg/config"
	"sigs.k8s.io/kube-api-linter/pkg/analysis/registry"
	_ "sigs.k8s.io/kube-api-linter/pkg/registration"
)

func main() {
	linters, err := registry.DefaultRegistry().InitializeLinters(config.Linters{Disable: []string{"*"}, Enable: []string{%s}}, config.LintersConfig{})
	if err != nil {
		panic(err)
	}
	multichecker.Main(linters...)
}
`

func (c *comparison) kubeAPILinter(bin string) reports {
	var names []string
	for _, l := range kubeLinters {
		names = append(names, fmt.Sprintf("%q", l))
	}
	c.build(bin, "kube-api-linter", fmt.Sprintf(kubeMain, strings.Join(names, ", ")), kubeAPIModule)
	found := reports{}
	// One package at a time, as a package that it panics on would hide the others.
	for dir := range strings.FieldsSeq(output(c.work, "go", "list", "-f", "{{.Dir}}", "./...")) {
		if !strings.Contains(dir, "/kube-api-linter/") && !strings.Contains(dir, "/fieldtag/k8s") {
			continue // it takes every struct for an API type
		}
		cmd := exec.Command(bin+"/kube-api-linter", "-json", ".")
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil && len(out) == 0 {
			log.Printf("kube-api-linter fails on %s: %v", strings.TrimPrefix(dir, c.work), err)
		}
		c.read(string(out), found)
	}
	return found
}

// print writes the tables.
func (c *comparison) print() {
	fmt.Printf("Lines reported, by the origin of the sources:\n\n| sources |")
	for _, t := range c.tools {
		fmt.Printf(" %s | of them fieldtag |", t)
	}
	fmt.Printf("\n|---|%s\n", strings.Repeat("---:|---:|", len(c.tools)))
	for _, set := range c.sets {
		fmt.Printf("| %s |", set)
		for _, t := range c.tools {
			n, both := 0, 0
			for at := range c.found[t] {
				if strings.HasPrefix(at.file, set+"/") {
					n++
					if len(c.found["fieldtag"][at]) > 0 {
						both++
					}
				}
			}
			fmt.Printf(" %d | %d |", n, both)
		}
		fmt.Println()
	}
	c.printRules()
	c.printMissed()
}

// printRules prints how many of the lines that a rule reports each tool reports.
func (c *comparison) printRules() {
	lines := map[string]map[line]bool{}
	for at, texts := range c.found["fieldtag"] {
		for _, text := range texts {
			rule, _, _ := strings.Cut(strings.TrimPrefix(text, "["), "]")
			if lines[rule] == nil {
				lines[rule] = map[line]bool{}
			}
			lines[rule][at] = true
		}
	}
	names := map[string]bool{}
	for rule := range lines {
		names[rule] = true
	}
	rules := sortedKeys(names)
	fmt.Printf("\nLines that a rule of fieldtag reports, over all sources, and how many of them the others report:\n\n| rule | fieldtag | %s |\n|---|---:|%s\n",
		strings.Join(c.tools[:4], " | "), strings.Repeat("---:|", 4))
	for _, rule := range rules {
		fmt.Printf("| `%s` | %d |", rule, len(lines[rule]))
		for _, t := range c.tools[:4] {
			n := 0
			for at := range lines[rule] {
				if len(c.found[t][at]) > 0 {
					n++
				}
			}
			fmt.Printf(" %d |", n)
		}
		fmt.Println()
	}
}

// printMissed lists what the others report and fieldtag does not.
func (c *comparison) printMissed() {
	for _, t := range c.tools[:4] {
		var missed []string
		for at, texts := range c.found[t] {
			if len(c.found["fieldtag"][at]) == 0 {
				missed = append(missed, fmt.Sprintf("%s:%d: %s", at.file, at.line, strings.Join(texts, "; ")))
			}
		}
		sort.Strings(missed)
		fmt.Printf("\nReported by %s and not by fieldtag: %d\n\n```\n%s\n```\n", t, len(missed), strings.Join(missed, "\n"))
	}
}

func moduleDir(module string) string {
	var m struct{ Dir string }
	check(json.Unmarshal([]byte(output(os.TempDir(), "go", "mod", "download", "-json", module)), &m))
	return m.Dir
}

func install(bin, pkg string) {
	cmd := exec.Command("go", "install", pkg)
	cmd.Env = append(os.Environ(), "GOBIN="+bin)
	if out, err := cmd.CombinedOutput(); err != nil {
		log.Fatalf("go install %s: %v\n%s", pkg, err, out)
	}
}

// output runs a command and returns what it prints. Tools that find something exit
// with a status of their own, so that is no error.
func output(dir string, command ...string) string {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if command[0] == "go" && command[1] == "vet" {
		return out.String() + errs.String()
	}
	if err != nil && out.Len() == 0 {
		log.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, errs.String())
	}
	return strings.TrimSpace(out.String())
}

func glob(pattern string) []string {
	files, err := filepath.Glob(pattern)
	check(err)
	return files
}

func firstLines(s string, n int) string {
	lines := strings.SplitN(strings.TrimSpace(s), "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
