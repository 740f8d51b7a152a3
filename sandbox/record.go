package sandbox

import (
	"encoding/json"
	"net/http"
	"time"
)

// record hands an exchange to Options.Record and to the subscribers of Traffic.
func (s *Server) record(x *Exchange, started time.Time) {
	x.Took = s.opt.Now().Sub(started)
	if s.opt.Record == nil && !s.traffic.listened() {
		return
	}
	if !json.Valid(x.Request) {
		x.Request = nil
	}
	if s.traffic.listened() {
		s.traffic.publish(*x)
	}
	if s.opt.Record == nil {
		return
	}
	line, err := json.Marshal(x)
	if err != nil {
		s.opt.Log.Error("exchange not recorded", "error", err)
		return
	}
	s.recMu.Lock()
	defer s.recMu.Unlock()
	if _, err := s.opt.Record.Write(append(line, '\n')); err != nil {
		s.opt.Log.Error("exchange not recorded", "error", err)
	}
}

// remember keeps the address by which clients reach the server, for links to files.
func (s *Server) remember(r *http.Request) {
	if host := s.host.Load(); host == nil || *host != r.Host {
		s.host.Store(&r.Host)
	}
}

// base is the address of this server as clients know it.
func (s *Server) base() string {
	if host := s.host.Load(); host != nil {
		return "http://" + *host
	}
	return s.URL()
}
