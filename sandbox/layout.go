package sandbox

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of components.
const (
	maxComponents  = 40
	maxV2Text      = 4000
	maxCustomID    = 100
	maxButtonLabel = 80
)

// layout reads the components of one message or modal and checks what concerns all of them together.
type layout struct {
	form      *form
	modal     bool
	v2        bool
	total     int
	text      int
	customIDs map[string]bool
	ids       map[int]bool
	files     func(name string) bool // is there an attachment of this name
}

// Where each type may stand.
var (
	legacyTop    = []int{TypeActionRow}
	v2Top        = []int{TypeActionRow, TypeSection, TypeTextDisplay, TypeMediaGallery, TypeFile, TypeSeparator, TypeContainer}
	inContainer  = []int{TypeActionRow, TypeSection, TypeTextDisplay, TypeMediaGallery, TypeFile, TypeSeparator}
	inMessageRow = []int{TypeButton, TypeStringSelect, TypeUserSelect, TypeRoleSelect, TypeMentionableSelect, TypeChannelSelect}
	modalTop     = []int{TypeLabel, TypeTextDisplay, TypeActionRow}
	inLabel      = []int{
		TypeTextInput, TypeStringSelect, TypeUserSelect, TypeRoleSelect, TypeMentionableSelect, TypeChannelSelect,
		TypeFileUpload, TypeRadioGroup, TypeCheckboxGroup, TypeCheckbox,
	}
	inModalRow = []int{TypeTextInput}
)

func newLayout(f *form, v2, modal bool, files func(string) bool) *layout {
	return &layout{form: f, v2: v2, modal: modal, customIDs: map[string]bool{}, ids: map[int]bool{}, files: files}
}

// read checks and builds the components under key of n.
func (l *layout) read(n node, key string) []*Component {
	allowed, limit := legacyTop, 5
	switch {
	case l.modal:
		allowed = modalTop
	case l.v2:
		allowed, limit = v2Top, maxComponents
	}
	list := n.objects(key, limit)
	out := l.each(list, allowed)
	if l.v2 && l.total > maxComponents {
		n.fail(key, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "The total number of components cannot exceed %d, %d given.", maxComponents, l.total)
	}
	if l.v2 && l.text > maxV2Text {
		n.fail(key, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "The total text of the components cannot exceed %d characters, %d given.", maxV2Text, l.text)
	}
	if !l.form.bad() {
		l.number(out)
	}
	return out
}

// number gives ids to the components that came without, in order, around those that have one.
func (l *layout) number(list []*Component) {
	next := 1
	for c := range walk(list) {
		if c.ID != 0 {
			continue
		}
		for l.ids[next] {
			next++
		}
		c.ID = next
		next++
	}
}

func (l *layout) each(list []node, allowed []int) []*Component {
	out := make([]*Component, 0, len(list))
	for _, n := range list {
		if c := l.one(n, allowed); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// one reads a component that must be of one of the allowed types.
func (l *layout) one(n node, allowed []int) *Component {
	l.total++
	if !n.has("type") {
		n.required("type")
		return nil
	}
	t, ok := n.number("type", 0, math.MaxInt32)
	if !ok {
		return nil
	}
	if !slices.Contains(allowed, int(t)) {
		n.fail("type", "UNION_TYPE_CHOICES", "Value of field \"type\" must be one of %v.", allowed)
		return nil
	}
	c := &Component{Type: int(t)}
	if id, ok := n.number("id", 0, math.MaxInt32); ok && id != 0 {
		if l.ids[int(id)] {
			n.fail("id", "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
		}
		c.ID, l.ids[int(id)] = int(id), true
	}
	l.fill(n, c)
	return c
}

func (l *layout) fill(n node, c *Component) {
	switch c.Type {
	case TypeActionRow:
		l.row(n, c)
	case TypeButton:
		l.button(n, c)
	case TypeStringSelect, TypeUserSelect, TypeRoleSelect, TypeMentionableSelect, TypeChannelSelect:
		l.selectMenu(n, c)
	case TypeTextInput:
		l.input(n, c)
	case TypeSection:
		l.section(n, c)
	case TypeTextDisplay:
		c.Content = n.mustText("content", 1, maxV2Text)
		l.text += utf8.RuneCountInString(c.Content)
	case TypeThumbnail, TypeFile, TypeMediaGallery:
		l.media(n, c)
	case TypeSeparator:
		l.separator(n, c)
	case TypeContainer:
		l.container(n, c)
	case TypeLabel:
		l.label(n, c)
	case TypeFileUpload:
		l.upload(n, c)
	case TypeRadioGroup:
		l.group(n, c, 2)
	case TypeCheckboxGroup:
		l.group(n, c, 1)
	case TypeCheckbox:
		l.checkbox(n, c)
	}
}

func (l *layout) row(n node, c *Component) {
	kids := n.objects("components", 5)
	if len(kids) == 0 {
		n.fail("components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
		return
	}
	allowed := inMessageRow
	if l.modal {
		allowed = inModalRow
	}
	c.Components = l.each(kids, allowed)
	if len(c.Components) > 1 && slices.ContainsFunc(c.Components, func(k *Component) bool { return k.Type != TypeButton }) {
		n.fail("components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width")
	}
}

// customID reads the id by which an interaction names its component.
func (l *layout) customID(n node) string {
	if !n.has("custom_id") {
		n.fail("custom_id", "BASE_TYPE_REQUIRED", "This field is required")
		return ""
	}
	id := n.text("custom_id", 1, maxCustomID)
	if id != "" && l.customIDs[id] {
		n.fail("custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
	}
	l.customIDs[id] = true
	return id
}

func (l *layout) button(n node, c *Component) {
	if !n.has("style") {
		n.required("style")
		return
	}
	c.Style = n.choice("style", 1, 2, 3, 4, 5, 6)
	c.Label = n.text("label", 0, maxButtonLabel)
	c.Disabled = n.flag("disabled")
	c.Emoji = emoji(n)
	set := func(key string) bool { return n.has(key) && n.m[key] != "" }
	forbid := func(keys ...string) {
		for _, key := range keys {
			if set(key) {
				n.fail(key, "BUTTON_COMPONENT_INVALID_FIELD", "Not allowed on a button of style %d", c.Style)
			}
		}
	}
	switch c.Style {
	case StyleLink:
		forbid("custom_id", "sku_id")
		c.URL = n.mustText("url", 1, 512)
		l.address(n, "url", c.URL, false)
	case StylePremium:
		forbid("custom_id", "url", "label", "emoji")
		if c.SKU = n.snowflake("sku_id"); c.SKU == "" {
			n.required("sku_id")
		}
		return
	default:
		forbid("url", "sku_id")
		c.CustomID = l.customID(n)
	}
	if c.Label == "" && c.Emoji == nil {
		n.fail("", "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A button needs a label or an emoji")
	}
}

func emoji(n node) *Emoji {
	e, ok := n.object("emoji")
	if !ok {
		return nil
	}
	out := &Emoji{ID: e.snowflake("id"), Name: e.text("name", 0, 32), Animated: e.flag("animated")}
	if out.ID == "" && (out.Name == "" || isWord(out.Name)) {
		e.fail("name", "INVALID_EMOJI", "Invalid emoji")
	}
	return out
}

// isWord tells whether s is plain ASCII, which no emoji is.
func isWord(s string) bool {
	for _, r := range s {
		if r > 0x7f {
			return false
		}
	}
	return true
}

// address checks a web address; with attachments "attachment://name" of the message's own files goes too.
func (l *layout) address(n node, key, raw string, attachments bool) {
	if raw == "" {
		return
	}
	u, err := url.Parse(raw)
	switch {
	case err == nil && attachments && u.Scheme == "attachment":
		name := strings.TrimPrefix(raw, "attachment://")
		if l.files == nil || !l.files(name) {
			n.fail(key, "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", "The referenced attachment %q was not found", name)
		}
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "discord":
		n.fail(key, "URL_TYPE_INVALID_URL", "Not a well formed URL.")
	}
}

func (l *layout) section(n node, c *Component) {
	kids := n.objects("components", 3)
	if len(kids) == 0 {
		n.fail("components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 3 in length.")
	}
	c.Components = l.each(kids, []int{TypeTextDisplay})
	side, ok := n.object("accessory")
	if !ok {
		n.required("accessory")
		return
	}
	c.Accessory = l.one(side, []int{TypeButton, TypeThumbnail})
}

func (l *layout) media(n node, c *Component) {
	switch c.Type {
	case TypeThumbnail:
		c.Media = append(c.Media, l.item(n, "media"))
	case TypeFile:
		m := l.item(n, "file")
		if m.URL != "" && !strings.HasPrefix(m.URL, "attachment://") {
			n.fail("file", "URL_TYPE_INVALID_SCHEME", "Only attachment:// is allowed here")
		}
		c.Media = append(c.Media, m)
	default:
		items := n.objects("items", 10)
		if len(items) == 0 {
			n.fail("items", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 10 in length.")
		}
		for _, it := range items {
			c.Media = append(c.Media, l.item(it, "media"))
		}
	}
}

func (l *layout) item(n node, key string) Media {
	m := Media{Description: n.text("description", 0, 1024), Spoiler: n.flag("spoiler")}
	src, ok := n.object(key)
	if !ok {
		n.required(key)
		return m
	}
	m.URL = src.mustText("url", 1, 2048)
	l.address(src, "url", m.URL, true)
	return m
}

func (l *layout) separator(n node, c *Component) {
	c.Divider, c.Spacing = true, 1
	if n.has("divider") {
		c.Divider = n.flag("divider")
	}
	if n.has("spacing") {
		c.Spacing = n.choice("spacing", 1, 2)
	}
}

func (l *layout) container(n node, c *Component) {
	if color, ok := n.number("accent_color", 0, 0xFFFFFF); ok {
		v := int(color)
		c.AccentColor = &v
	}
	c.Spoiler = n.flag("spoiler")
	kids := n.objects("components", maxComponents)
	if len(kids) == 0 {
		n.fail("components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and %d in length.", maxComponents)
	}
	c.Components = l.each(kids, inContainer)
}

func (l *layout) label(n node, c *Component) {
	c.Label = n.mustText("label", 1, 45)
	c.Description = n.text("description", 1, 100)
	child, ok := n.object("component")
	if !ok {
		n.required("component")
		return
	}
	if child.has("label") && fmt.Sprint(child.m["label"]) != "" {
		child.fail("label", "COMPONENT_LABEL_NOT_ALLOWED", "A component inside a label has no label of its own")
	}
	c.Child = l.one(child, inLabel)
}
