package sandbox

import (
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

// maxEmbedText bounds all text of all embeds of a message.
const maxEmbedText = 6000

// embedReader reads the embeds of one message and counts their text.
type embedReader struct{ total int }

// readEmbeds checks and builds the embeds of a body.
func readEmbeds(n node) []Embed {
	var r embedReader
	var out []Embed
	for _, e := range n.objects("embeds", 10) {
		out = append(out, r.embed(e))
	}
	if r.total > maxEmbedText {
		n.fail("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of %d", maxEmbedText)
	}
	return out
}

// text reads a text and adds its trimmed length to the total.
func (r *embedReader) text(n node, key string, lo, hi int) string {
	s := strings.TrimSpace(n.text(key, lo, hi))
	r.total += utf8.RuneCountInString(s)
	return s
}

func (r *embedReader) embed(n node) Embed {
	e := Embed{
		Type: "rich", Title: r.text(n, "title", 0, 256), Description: r.text(n, "description", 0, 4096),
		URL: link(n, "url"), Timestamp: moment(n, "timestamp"),
	}
	if color, ok := n.number("color", 0, 0xFFFFFF); ok {
		e.Color = int(color)
	}
	for _, f := range n.objects("fields", 25) {
		if !f.has("name") {
			f.required("name")
		}
		if !f.has("value") {
			f.required("value")
		}
		e.Fields = append(e.Fields, EmbedField{r.text(f, "name", 1, 256), r.text(f, "value", 1, 1024), f.flag("inline")})
	}
	if f, ok := n.object("footer"); ok {
		e.Footer = &EmbedFooter{r.text(f, "text", 0, 2048), link(f, "icon_url")}
	}
	if a, ok := n.object("author"); ok {
		e.Author = &EmbedAuthor{r.text(a, "name", 0, 256), link(a, "url"), link(a, "icon_url")}
	}
	e.Image, e.Thumbnail = picture(n, "image"), picture(n, "thumbnail")
	if e.blank() {
		n.fail("description", "BASE_TYPE_REQUIRED", "This field is required")
	}
	return e
}

// blank tells whether an embed shows nothing.
func (e Embed) blank() bool {
	return e.Title == "" && e.Description == "" && len(e.Fields) == 0 && e.Footer == nil && e.Author == nil &&
		e.Image == nil && e.Thumbnail == nil
}

func picture(n node, key string) *EmbedImage {
	i, ok := n.object(key)
	if !ok {
		return nil
	}
	return &EmbedImage{URL: link(i, "url")}
}

// link reads an optional address: http, https or attachment.
func link(n node, key string) string {
	s := n.text(key, 0, math.MaxInt16)
	scheme, _, ok := strings.Cut(s, "://")
	if s != "" && (!ok || scheme != "https" && scheme != "http" && scheme != "attachment") {
		n.fail(key, "URL_TYPE_INVALID_SCHEME", "Scheme %q is not supported. Scheme must be one of ('http', 'https').", scheme)
	}
	return s
}

func moment(n node, key string) string {
	s := n.text(key, 0, 100)
	if s == "" {
		return ""
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		n.fail(key, "DATE_TIME_TYPE_PARSE", "Could not parse %s. Should be ISO8601.", s)
		return ""
	}
	return stamp(t)
}
