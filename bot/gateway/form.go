package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"strconv"
	"strings"
)

// Late makes the body of a call when it is about to be sent. What shows how something
// stands would be out of date after a wait for Discord's limits. Its error becomes
// the call's.
type Late func() (any, error)

// Form is a body that takes files along: the payload goes as JSON into
// payload_json and each file into files[n], n counting from 0, as Discord's
// reference, "Uploading Files", asks for. The payload names the n-th file in
// its attachments by the ID n. Without files the payload is sent as plain JSON.
type Form struct {
	Payload any
	Files   []File
}

// File is one file of a [Form].
type File struct {
	Name string // with its extension, such as "board.png"
	Type string // the media type, such as "image/png"
	Data []byte
}

// Encode makes the bytes of a body and names their media type: JSON, or multipart
// for a [Form] with files. An HTTP response to an interaction takes both as well.
func Encode(body any) (data []byte, contentType string, err error) {
	form, _ := body.(Form)
	if len(form.Files) > 0 {
		return form.encode()
	}
	if form.Payload != nil {
		body = form.Payload
	}
	if data, err = json.Marshal(body); err != nil {
		return nil, "", fmt.Errorf("encode the body: %w", err)
	}
	return data, "application/json", nil
}

// inHeader escapes what would end a name in a header of a part.
var inHeader = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "", "\n", "")

func (f Form) encode() (data []byte, contentType string, err error) {
	payload, err := json.Marshal(f.Payload)
	if err != nil {
		return nil, "", fmt.Errorf("encode the payload: %w", err)
	}
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	add := func(disposition, contentType string, data []byte) {
		if err != nil {
			return
		}
		part, failed := w.CreatePart(textproto.MIMEHeader{
			"Content-Disposition": {"form-data; " + disposition}, "Content-Type": {contentType},
		})
		if failed == nil {
			_, failed = part.Write(data)
		}
		err = failed
	}
	add(`name="payload_json"`, "application/json", payload)
	for n, file := range f.Files {
		add(`name="files[`+strconv.Itoa(n)+`]"; filename="`+inHeader.Replace(file.Name)+`"`, file.Type, file.Data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, "", fmt.Errorf("encode the files: %w", err)
	}
	return b.Bytes(), w.FormDataContentType(), nil
}
