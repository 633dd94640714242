package fixes

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Write replaces the files on disk. It replaces all or none: should one fail,
// those before it get their old content back. It refuses a file that is not as it
// was when the fixes were made, and one that is read-only.
func Write(files []File) error {
	var staged []*stagedFile
	defer func() {
		for _, s := range staged {
			os.Remove(s.temp) // is gone if it was put in place
		}
	}()
	for _, f := range files {
		s, err := stage(f)
		if err != nil {
			return err
		}
		staged = append(staged, s)
	}
	for i, s := range staged {
		if err := os.Rename(s.temp, s.name); err != nil {
			for _, done := range staged[:i] {
				err = errors.Join(err, os.WriteFile(done.name, done.old, done.mode))
			}
			return err
		}
	}
	return nil
}

// A stagedFile is a new content beside the file that it will replace.
type stagedFile struct {
	name, temp string
	old        []byte
	mode       os.FileMode
}

func stage(f File) (*stagedFile, error) {
	name, err := filepath.EvalSymlinks(f.Name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o200 == 0 {
		return nil, fmt.Errorf("%s is read-only", f.Name)
	}
	if now, err := os.ReadFile(name); err != nil {
		return nil, err
	} else if !bytes.Equal(now, f.Old) {
		return nil, fmt.Errorf("%s has changed since it was analysed", f.Name)
	}
	temp, err := os.CreateTemp(filepath.Dir(name), ".heapvet-*")
	if err != nil {
		return nil, err
	}
	s := &stagedFile{name: name, temp: temp.Name(), old: f.Old, mode: info.Mode().Perm()}
	_, err = temp.Write(f.New)
	err = errors.Join(err, temp.Chmod(s.mode), temp.Close())
	if err != nil {
		os.Remove(s.temp)
		return nil, err
	}
	return s, nil
}

// Archive writes the changed files to w as a zip archive, in the form in which
// the go command takes fixes from a vet tool: entries by file name, the comment
// says which package they are from.
func Archive(w io.Writer, comment string, files []File) error {
	z := zip.NewWriter(w)
	if err := z.SetComment(comment); err != nil {
		return err
	}
	for _, f := range files {
		e, err := z.Create(f.Name)
		if err != nil {
			return err
		}
		if _, err := e.Write(f.New); err != nil {
			return err
		}
	}
	return z.Close()
}
