package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-isatty"

	"github.com/heapvet/heapvet/internal/frontend/printer"
)

// An output is one format and where it goes.
type output struct {
	format printer.Format
	// file is "" for standard output.
	file string
}

// parseOutputs reads the value of -f: formats separated by commas, each with a
// file after an equals sign if it does not go to standard output.
func parseOutputs(spec string) ([]output, error) {
	var outs []output
	stdout := ""
	for part := range strings.SplitSeq(spec, ",") {
		name, file, hasFile := strings.Cut(strings.TrimSpace(part), "=")
		format, err := printer.Lookup(name)
		if err != nil {
			return nil, fmt.Errorf("-f: %w", err)
		}
		switch {
		case hasFile && file == "":
			return nil, fmt.Errorf("-f: %s= lacks the file", name)
		case !hasFile && stdout != "":
			return nil, fmt.Errorf("-f: %s and %s both go to standard output; give one a file, as in %s=FILE", stdout, name, name)
		case !hasFile:
			stdout = name
		}
		if err := checkDir(file); err != nil {
			return nil, fmt.Errorf("-f: %s=%s: %w", name, file, err)
		}
		outs = append(outs, output{format, file})
	}
	return outs, nil
}

// checkDir checks that there is a directory for the file, so that the user need not
// wait for the analysis to learn that there is none.
func checkDir(file string) error {
	dir := filepath.Dir(file)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no directory %s", dir)
	}
	return nil
}

// write prints the document in all formats. A file is written whole or not at
// all, so that nobody reads half a report.
func (a *app) write(outs []output, d *printer.Document) error {
	for _, o := range outs {
		if o.file == "" {
			if err := o.format.Print(a.stdout, d); err != nil {
				return err
			}
			continue
		}
		plain := *d
		plain.Color = false
		var text bytes.Buffer
		if err := o.format.Print(&text, &plain); err != nil {
			return err
		}
		if err := writeFile(o.file, text.Bytes()); err != nil {
			return fmt.Errorf("-f: %s=%s: %w", o.format.Name, o.file, withoutPath(err))
		}
	}
	return nil
}

// withoutPath is the error without the name of the file, which may be a temporary
// one.
func withoutPath(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}

// writeFile replaces a file's content in one step.
func writeFile(name string, content []byte) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		// A device or a pipe, such as /dev/stderr.
		return os.WriteFile(name, content, 0o666)
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(content)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(tmp.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	return err
}

// isTerminal tells whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// useColor decides about colour: -color says always or never, or leaves it to
// what standard output is and to NO_COLOR (https://no-color.org).
func (a *app) useColor(mode string) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	return isTerminal(a.stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
