package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBaseline(t *testing.T) {
	r := newRepository(t, gateModule)
	run := func(args ...string) outcome { return heapvet(t, r.dir, r.env, args...) }
	content := func() string {
		text, err := os.ReadFile(filepath.Join(r.dir, "known.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		_, text2, _ := strings.Cut(string(text), "version: 1\n")
		return text2
	}
	const oldEntry = "- file: a/a.go\n  in: Old\n  rule: calls/bad\n  code: bad()\n  message: bad is called\n  package: example.com/m/a\n"
	const newEntry = "- file: b/b.go\n  in: B\n  rule: calls/bad\n  code: bad()\n  message: bad is called\n  package: example.com/m/b\n"

	run("baseline", "write", "known.yaml", "./...").want(t, exitClean, "")
	if got := content(); got != "findings:\n"+oldEntry {
		t.Fatalf("baseline:\n%s", got)
	}
	run("-f=short", "-baseline=known.yaml").want(t, exitClean, "")

	r.write("-- a/a.go --\npackage a\n\n// Bad is.\nfunc bad() {}\n\nfunc Old() {\n\tbad()\n}\n-- b/b.go --\npackage b\n\nfunc bad() {}\n\nfunc B() { bad() }\n")
	run("-f=short", "-baseline=known.yaml").want(t, exitFindings, "b/b.go:5:12: bad is called (calls/bad)\n")
	run("baseline", "prune", "known.yaml").want(t, exitClean, "")
	if got := content(); got != "findings:\n"+oldEntry {
		t.Errorf("pruned, with nothing to prune:\n%s", got)
	}
	run("baseline", "update", "known.yaml", "./b").want(t, exitClean, "")
	if got := content(); got != "findings:\n"+oldEntry+newEntry {
		t.Errorf("updated:\n%s", got)
	}
	run("-f=short", "-baseline=known.yaml").want(t, exitClean, "")

	r.write("-- a/a.go --\npackage a\n\nfunc Old() {}\n")
	o := run("-f=short", "-baseline=known.yaml")
	o.want(t, exitClean, "")
	if !strings.Contains(o.stderr, "1 of the findings in known.yaml no longer occur") {
		t.Errorf("stderr:\n%s", o.stderr)
	}
	if o := run("-f=short", "-baseline=known.yaml", "./b"); strings.Contains(o.stderr, "no longer occur") {
		t.Errorf("told of a package that was not analysed:\n%s", o.stderr)
	}
	run("baseline", "prune", "known.yaml", "./b").want(t, exitClean, "")
	if got := content(); got != "findings:\n"+oldEntry+newEntry {
		t.Errorf("pruned in another package:\n%s", got)
	}
	r.remove("b")
	run("baseline", "prune", "known.yaml").want(t, exitClean, "")
	if got := content(); got != "findings: []\n" {
		t.Errorf("pruned:\n%s", got)
	}

	run("-baseline=none.yaml").wantFailure(t, "none.yaml")
	write(t, filepath.Join(r.dir, "bad.yaml"), "version: 1\nfnidings: []\n")
	run("-baseline=bad.yaml").wantFailure(t, "bad.yaml is no baseline", "fnidings")
	run("baseline").wantFailure(t, "write, update or prune")
	run("baseline", "write").wantFailure(t, "write needs the file")
	write(t, filepath.Join(r.dir, "c", "c.go"), "package c\n\nvar x = undefined\n")
	run("baseline", "write", "known.yaml").wantFailure(t, "undefined")
	if got := content(); got != "findings: []\n" {
		t.Errorf("written though the code does not build:\n%s", got)
	}
}

func TestAffected(t *testing.T) {
	r := newRepository(t, `
-- go.mod --
module example.com/m

go 1.24
-- a/a.go --
package a

func A() {}
-- b/b.go --
package b

import "example.com/m/a"

func bad() {}

func B() { a.A(); bad() }
-- c/c.go --
package c

import "example.com/m/b"

func bad() {}

func C() { b.B(); bad() }
-- d/d.go --
package d

func bad() {}

func D() { bad() }
-- e/e_test.go --
package e_test

import "example.com/m/a"

func bad() {}

func E() { a.A(); bad() }
`)
	const b, c, d, e = "b/b.go:7:19: bad is called (calls/bad)\n", "c/c.go:7:19: bad is called (calls/bad)\n",
		"d/d.go:5:12: bad is called (calls/bad)\n", "e/e_test.go:7:19: bad is called (calls/bad)\n"
	run := func(args ...string) outcome {
		return heapvet(t, r.dir, r.env, append([]string{"-f=short", "-affected=HEAD"}, args...)...)
	}
	run().want(t, exitClean, "")
	write(t, filepath.Join(r.dir, "README"), "x\n")
	run().want(t, exitClean, "")
	write(t, filepath.Join(r.dir, "b", "more.go"), "package b\n")
	run().want(t, exitFindings, b+c)
	run("./c", "./d").want(t, exitFindings, c)
	r.remove("b/more.go")
	write(t, filepath.Join(r.dir, "a", "a.go"), "package a\n\nfunc A() { _ = 1 }\n")
	run().want(t, exitFindings, b+c+e)
	write(t, filepath.Join(r.dir, "go.mod"), "module example.com/m\n\ngo 1.25\n")
	run().want(t, exitFindings, b+c+d+e)
	run("-affected=nowhere").wantFailure(t, "git does not know nowhere")
}
