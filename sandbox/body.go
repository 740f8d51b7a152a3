package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
)

// Limits of request bodies.
const (
	maxRequest = 25 << 20
	maxFile    = 10 << 20
)

// read takes the body in; multipart is split into payload_json and files.
func (c *call) read(w http.ResponseWriter) *apiError {
	raw, err := io.ReadAll(http.MaxBytesReader(w, c.Body, maxRequest))
	if err != nil {
		return &apiError{status: http.StatusRequestEntityTooLarge, Code: codeTooLarge, Message: "Request entity too large"}
	}
	kind, params, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
	switch {
	case len(raw) == 0:
		return nil
	case err == nil && kind == "application/json":
		c.raw, c.isJSON = raw, true
		return nil
	case err == nil && kind == "multipart/form-data":
		return c.split(multipart.NewReader(bytes.NewReader(raw), params["boundary"]))
	}
	return formProblem("CONTENT_TYPE_INVALID", "Expected \"Content-Type\" header to be one of {'application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'}.")
}

func (c *call) split(parts *multipart.Reader) *apiError {
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return formProblem("MULTIPART_INVALID", "The multipart body cannot be read: "+err.Error())
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return formProblem("MULTIPART_INVALID", "The multipart body cannot be read: "+err.Error())
		}
		if len(data) > maxFile {
			return &apiError{status: http.StatusRequestEntityTooLarge, Code: codeTooLarge, Message: "Request entity too large"}
		}
		name := part.FormName()
		if name == "payload_json" {
			c.raw, c.isJSON = data, true
			continue
		}
		if part.FileName() == "" {
			continue
		}
		index, found := strings.CutPrefix(name, "files[")
		n, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
		if !found || err != nil {
			n = len(c.uploads)
		}
		c.uploads = append(c.uploads, upload{n, part.FileName(), part.Header.Get("Content-Type"), data})
	}
}

// decode parses the JSON body, keeping numbers as they were written.
func (c *call) decode() *apiError {
	if !c.isJSON {
		if c.uploads != nil {
			c.body = map[string]any{}
		}
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(c.raw))
	d.UseNumber()
	if err := d.Decode(&c.body); err != nil || d.More() {
		c.raw = nil // not JSON, so not to be recorded as such
		return &apiError{status: http.StatusBadRequest, Code: codeJSON, Message: "The request body contains invalid JSON."}
	}
	return nil
}

// object is the body as an object: a form error when there is none.
func (c *call) object() (node, *apiError) {
	m, ok := c.body.(map[string]any)
	if !ok {
		return node{}, formProblem("MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
	}
	return newForm().root(m), nil
}

// truthy reads a boolean of the query.
func (c *call) truthy(key string) bool {
	switch c.URL.Query().Get(key) {
	case "true", "True", "1":
		return true
	}
	return false
}
