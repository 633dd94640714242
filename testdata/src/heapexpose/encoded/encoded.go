// Package encoded encodes and prints guarded data.
package encoded

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"text/template"
)

type Server struct {
	mu    sync.Mutex
	Name  string
	Conns map[string]int // want `Server.Conns is changed in place under mu, but is exported`
	peers map[string]int
}

func (s *Server) Open(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Conns[name]++
	s.peers[name]++
}

func (s *Server) JSON() ([]byte, error) {
	return json.Marshal(s) // want `encodes a Server, of which it reads Server.Conns, without mu`
}

func (s *Server) SafeJSON() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return json.Marshal(s)
}

type Status struct {
	Title  string
	Server *Server
}

func Show(s *Server) ([]byte, error) {
	return json.Marshal(Status{"all", s}) // want `encodes a Server`
}

func Title(s *Server) ([]byte, error) {
	return json.Marshal(Status{Title: s.Name})
}

func (s *Server) Peers(w io.Writer, t *template.Template) {
	s.mu.Lock()
	peers := s.peers
	s.mu.Unlock()
	fmt.Fprintln(w, peers)                                // want `encodes Server.peers`
	slog.Info("peers", "all", peers)                      // want `encodes Server.peers`
	t.Execute(w, peers)                                   // want `encodes Server.peers`
	json.NewEncoder(w).Encode(map[string]any{"p": peers}) // want `encodes Server.peers`
	fmt.Fprintln(w, len(peers))
}

func (s *Server) SafePeers(w io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(w, s.peers)
}

// A Guarded locks when it is encoded.
type Guarded struct {
	mu sync.Mutex
	M  map[string]int // want `Guarded.M is changed in place under mu, but is exported`
}

func (g *Guarded) Add(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.M[k]++
}

func (g *Guarded) MarshalJSON() ([]byte, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return json.Marshal(g.M)
}

func Encode(g *Guarded) ([]byte, error) { return json.Marshal(g) }
