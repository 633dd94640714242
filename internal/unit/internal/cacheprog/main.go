// Command cacheprog is a small GOCACHEPROG, to test that machines which share a
// build cache share findings and facts: it keeps what the go command puts in a
// local directory and in a remote one, and takes from the remote one what is not
// in the local one. See "go help environment" for the protocol.
//
//	GOCACHEPROG="cacheprog LOCAL REMOTE"
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

type request struct {
	ID       int64
	Command  string
	ActionID []byte
	OutputID []byte
	BodySize int64
}

type response struct {
	ID            int64
	Err           string     `json:",omitempty"`
	KnownCommands []string   `json:",omitempty"`
	Miss          bool       `json:",omitempty"`
	OutputID      []byte     `json:",omitempty"`
	Size          int64      `json:",omitempty"`
	Time          *time.Time `json:",omitempty"`
	DiskPath      string     `json:",omitempty"`
}

type cache struct{ local, remote string }

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: cacheprog LOCAL REMOTE")
		os.Exit(2)
	}
	if err := serve(cache{os.Args[1], os.Args[2]}); err != nil {
		fmt.Fprintln(os.Stderr, "cacheprog:", err)
		os.Exit(1)
	}
}

func serve(c cache) error {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	if err := out.Encode(response{KnownCommands: []string{"get", "put", "close"}}); err != nil {
		return err
	}
	for {
		var req request
		if err := in.Decode(&req); err != nil {
			return err
		}
		var body []byte
		if req.BodySize > 0 {
			if err := in.Decode(&body); err != nil {
				return err
			}
		}
		res, err := c.handle(&req, body)
		res.ID = req.ID
		if err != nil {
			res.Err = err.Error()
		}
		if err := out.Encode(res); err != nil || req.Command == "close" {
			return err
		}
	}
}

func (c cache) handle(req *request, body []byte) (response, error) {
	switch req.Command {
	case "get":
		return c.get(req.ActionID)
	case "put":
		for _, dir := range []string{c.local, c.remote} {
			if err := put(dir, req.ActionID, req.OutputID, body); err != nil {
				return response{}, err
			}
		}
		return response{DiskPath: object(c.local, req.OutputID)}, nil
	}
	return response{}, nil
}

func (c cache) get(action []byte) (response, error) {
	output, err := os.ReadFile(index(c.local, action))
	if errors.Is(err, fs.ErrNotExist) {
		if output, err = c.pull(action); errors.Is(err, fs.ErrNotExist) {
			return response{Miss: true}, nil
		}
	}
	if err != nil {
		return response{}, err
	}
	info, err := os.Stat(object(c.local, output))
	if err != nil {
		return response{}, err
	}
	at := info.ModTime()
	return response{OutputID: output, Size: info.Size(), Time: &at, DiskPath: object(c.local, output)}, nil
}

// pull copies an entry from the remote to the local directory.
func (c cache) pull(action []byte) (output []byte, err error) {
	if output, err = os.ReadFile(index(c.remote, action)); err != nil {
		return nil, err
	}
	body, err := os.ReadFile(object(c.remote, output))
	if err != nil {
		return nil, err
	}
	return output, put(c.local, action, output, body)
}

func index(dir string, action []byte) string  { return filepath.Join(dir, fmt.Sprintf("a-%x", action)) }
func object(dir string, output []byte) string { return filepath.Join(dir, fmt.Sprintf("o-%x", output)) }

func put(dir string, action, output, body []byte) error {
	if err := os.WriteFile(object(dir, output), body, 0o666); err != nil {
		return err
	}
	return os.WriteFile(index(dir, action), output, 0o666)
}
