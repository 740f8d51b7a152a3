package sandbox

import (
	"bytes"
	"image"
	_ "image/gif"  // to read the size of pictures
	_ "image/jpeg" // to read the size of pictures
	_ "image/png"  // to read the size of pictures
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// keptFiles is how many uploads of command options are remembered.
const keptFiles = 100

// File is something that a person uploads.
type File struct {
	Name        string
	ContentType string // empty: told by the name
	Data        []byte
}

func (f File) kind() string {
	if f.ContentType != "" {
		return f.ContentType
	}
	return mime.TypeByExtension(path.Ext(f.Name))
}

// is tells whether the file is of a kind: a media type, one with a star, or an extension.
func (f File) is(kind string) bool {
	if group, ok := strings.CutSuffix(kind, "/*"); ok {
		return strings.HasPrefix(f.kind(), group+"/")
	}
	return strings.EqualFold(kind, f.kind()) || strings.EqualFold(kind, path.Ext(f.Name))
}

// attach makes an attachment of a file that is to be found under place.
func (s *Server) attach(place string, f File) Attachment {
	a := Attachment{ID: s.flake.next(), Filename: f.Name, ContentType: f.kind(), Size: len(f.Data), Data: f.Data}
	if size, _, err := image.DecodeConfig(bytes.NewReader(f.Data)); err == nil {
		a.Width, a.Height = size.Width, size.Height
	}
	a.URL = s.base() + "/attachments/" + place + "/" + a.ID + "/" + url.PathEscape(a.Filename)
	return a
}

// uploads are the files of command options, the newest keptFiles of them. Guarded by Server.mu.
type uploads struct {
	byID  map[string]*Attachment
	order []string
}

// store keeps a person's upload; Server.mu is held.
func (s *Server) store(f File) *Attachment {
	a := s.attach("uploads", f)
	u := &s.world.uploads
	if u.byID == nil {
		u.byID = map[string]*Attachment{}
	}
	u.byID[a.ID] = &a
	u.order = append(u.order, a.ID)
	if len(u.order) > keptFiles {
		delete(u.byID, u.order[0])
		u.order = u.order[1:]
	}
	return &a
}

func (s *Server) uploaded(id string) *Attachment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.world.uploads.byID[id]
}

// serveAttachment gives out the bytes of an uploaded file: /attachments/{channel}/{message}/{attachment}/{name}, or
// /attachments/uploads/{attachment}/{name} for those of command options.
func (s *Server) serveAttachment(w http.ResponseWriter, r *http.Request) {
	a := s.attachmentAt(strings.Split(strings.TrimPrefix(r.URL.Path, "/attachments/"), "/"))
	if a == nil {
		http.NotFound(w, r)
		return
	}
	if a.ContentType != "" {
		w.Header().Set("Content-Type", a.ContentType)
	}
	// whatever a bot uploads, it must not act as a page of this server
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
	_, _ = w.Write(a.Data) // the client may be gone
}

func (s *Server) attachmentAt(parts []string) *Attachment {
	switch {
	case len(parts) == 3 && parts[0] == "uploads":
		return s.uploaded(parts[1])
	case len(parts) < 3:
		return nil
	}
	m := s.Message(parts[0], parts[1])
	if m == nil {
		return nil
	}
	for i := range m.Attachments {
		if m.Attachments[i].ID == parts[2] {
			return &m.Attachments[i]
		}
	}
	return nil
}

// wire is the attachment object.
func (a *Attachment) wire() map[string]any {
	w := map[string]any{"id": a.ID, "filename": a.Filename, "size": a.Size, "url": a.URL, "proxy_url": a.URL}
	if a.ContentType != "" {
		w["content_type"] = a.ContentType
	}
	if a.Description != "" {
		w["description"] = a.Description
	}
	if a.Width > 0 {
		w["width"], w["height"] = a.Width, a.Height
	}
	return w
}
