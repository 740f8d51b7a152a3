package sandbox_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rowbot/sandbox"
)

// judged is a line of testdata/bodies.jsonl: a request body, where it goes, and whether Discord takes it. In strings
// "{{x*5}}" stands for xxxxx. differs, where it is set, tells why a validator that sees nothing but the body, or only
// the published specification, judges otherwise.
type judged struct {
	Route, Method, Name, Differs string
	Good                         bool
	Body                         json.RawMessage
}

var repeated = regexp.MustCompile(`\{\{(.)\*(\d+)\}\}`)

func judgedBodies(t *testing.T) []judged {
	t.Helper()
	raw, err := os.ReadFile("testdata/bodies.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []judged
	for line := range strings.Lines(string(raw)) {
		var j judged
		if err := json.Unmarshal([]byte(line), &j); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		j.Body = repeated.ReplaceAllFunc(j.Body, func(hit []byte) []byte {
			parts := repeated.FindSubmatch(hit)
			n, _ := strconv.Atoi(string(parts[2]))
			return bytes.Repeat(parts[1], n)
		})
		out = append(out, j)
	}
	return out
}

// places finds for each route of the table a path on which the body can be tried; each call makes the place anew.
type places struct {
	t   *testing.T
	srv *sandbox.Server
	b   *rawBot
}

func (p *places) seat() sandbox.Seat { return p.srv.Alice.In(p.srv.Games) }

// try sends a body where it belongs and returns the answer.
func (p *places) try(j judged) (path string, got answer) {
	app := "/applications/" + sandbox.ApplicationID
	channel := "/channels/" + p.srv.Games.ID() + "/messages"
	send := func(path string) (string, answer) { return path, p.b.call(j.Method, path, j.Body) }
	kind, isCallback := strings.CutPrefix(strings.Trim(j.Route, "{}"), "callback ")
	if isCallback {
		return p.callback(kind, j)
	}
	switch j.Route {
	case "{channel}":
		return send(channel)
	case "{message}":
		return send(channel + "/" + p.posted(obj{"content": "old", "components": rows(1)}))
	case "{message v2}":
		return send(channel + "/" + p.posted(v2(text("old"))))
	case "{follow-up}", "{original}":
		p.b.answerWith(obj{"type": 4, "data": obj{"content": "old"}})
		must[*sandbox.Reply](p.t)(p.seat().Slash(p.t.Context(), "ping"))
		if j.Route == "{original}" {
			return send(hook(p.b.seenLast(), "/messages/@original"))
		}
		return send(hook(p.b.seenLast(), ""))
	case "{commands}":
		return send(app + "/commands")
	case "{guild commands}":
		return send(app + "/guilds/" + p.srv.Playground.ID() + "/commands")
	case "{command}":
		return send(app + "/commands/" + p.srv.Commands("")[0].ID)
	case "{direct}":
		return send("/users/@me/channels")
	}
	p.t.Fatalf("no place for %s", j.Route)
	return "", answer{}
}

func (p *places) posted(body obj) string {
	id, _ := p.b.want(200, p.b.call("POST", "/channels/"+p.srv.Games.ID()+"/messages", body)).json()["id"].(string)
	return id
}

// callback lets a person do something of the kind and answers with the body; what was refused is answered properly
// afterwards, so that nobody has to wait.
func (p *places) callback(kind string, j judged) (path string, got answer) {
	form := obj{"type": 9, "data": obj{"custom_id": "f", "title": "F", "components": list{
		obj{"type": 18, "label": "L", "component": obj{"type": 4, "custom_id": "t", "style": 1, "required": false}},
	}}}
	type verdict struct {
		path string
		got  answer
	}
	judgement := make(chan verdict, 1)
	judge := func(i obj) {
		v := verdict{path: callbackPath(i)}
		defer func() { judgement <- v }()
		if v.got = p.b.call("POST", v.path, j.Body); v.got.status >= 300 {
			well := obj{"type": 4, "data": obj{"content": "well"}}
			if i["type"] == 4.0 {
				well = obj{"type": 8, "data": obj{"choices": list{}}}
			}
			p.b.want(204, p.b.reply(i, well))
		}
	}
	opened := func(i obj) { p.b.want(204, p.b.reply(i, form)) }
	ctx := p.t.Context()
	switch kind {
	case "command":
		p.b.handle(judge)
		must[*sandbox.Reply](p.t)(p.seat().Slash(ctx, "ping"))
	case "autocomplete":
		p.b.handle(judge)
		must[[]sandbox.Choice](p.t)(p.seat().Autocomplete(ctx, "play move", "cell", "h"))
	case "component":
		m := p.srv.Message(p.srv.Games.ID(), p.posted(obj{"content": "old", "components": rows(1)}))
		p.b.handle(judge)
		must[*sandbox.Reply](p.t)(p.seat().Click(ctx, m, "id0"))
	case "modal", "modal of component":
		p.b.handle(opened)
		var r *sandbox.Reply
		if kind == "modal" {
			r = must[*sandbox.Reply](p.t)(p.seat().Slash(ctx, "ping"))
		} else {
			m := p.srv.Message(p.srv.Games.ID(), p.posted(obj{"content": "old", "components": rows(1)}))
			r = must[*sandbox.Reply](p.t)(p.seat().Click(ctx, m, "id0"))
		}
		p.b.handle(judge)
		must[*sandbox.Reply](p.t)(p.seat().SubmitModal(ctx, r.Modal, nil))
	default:
		p.t.Fatalf("no interaction of kind %q", kind)
	}
	v := <-judgement
	return v.path, v.got
}

// TestJudgedBodies holds the stand-in to the table.
func TestJudgedBodies(t *testing.T) { runTable(t, nil) }

func runTable(t *testing.T, record io.Writer) {
	t.Helper()
	srv, b := start(t, sandbox.Options{DailyCommands: 100000, Record: record})
	for _, j := range judgedBodies(t) {
		if j.Route == "{commands}" || j.Route == "{command}" || strings.HasPrefix(j.Route, "{callback") {
			b.want(200, b.call("PUT", globalCommands, commands()))
		}
		p := &places{t: t, srv: srv, b: b}
		path, got := p.try(j)
		if (got.status < 300) != j.Good || got.status >= 500 || got.status >= 300 && got.code() == 0 {
			t.Errorf("%s %s, %s: good %v, but %d %s", j.Method, path, j.Name, j.Good, got.status, got.body)
		}
		b.handle(nil)
	}
}

// TestJudgedBodiesElsewhere holds a validator of recorded exchanges to the same table: the command that
// SANDBOX_VALIDATOR names reads exchanges from its input, one JSON object a line, and reports each violation on a
// line that starts with "-:", the number of the exchange and a colon.
func TestJudgedBodiesElsewhere(t *testing.T) {
	command := strings.Fields(os.Getenv("SANDBOX_VALIDATOR"))
	if len(command) == 0 {
		t.Skip("SANDBOX_VALIDATOR names no validator to compare with")
	}
	list := judgedBodies(t)
	var input bytes.Buffer
	for _, j := range list {
		line, err := json.Marshal(obj{"method": j.Method, "path": pathFor(j.Route), "request": j.Body})
		if err != nil {
			t.Fatal(err)
		}
		input.Write(append(line, '\n'))
	}
	bad := validate(t, command, &input)
	for i, j := range list {
		if takes := bad[i+1] == nil; (takes == j.Good) != (j.Differs == "") {
			t.Errorf("%s %s, %s: the table says good %v, differs %q; the validator %q", j.Method, j.Route, j.Name, j.Good, j.Differs, bad[i+1])
		}
	}
}

// validate runs a validator over exchanges and returns what it reports, by the number of the exchange from 1.
func validate(t *testing.T, command []string, exchanges io.Reader) map[int][]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Stdin = exchanges
	out, _ := cmd.Output() // it fails whenever there are violations
	bad := map[int][]string{}
	for scan := bufio.NewScanner(bytes.NewReader(out)); scan.Scan(); {
		var n int
		if _, err := fmt.Sscanf(scan.Text(), "-:%d:", &n); err == nil {
			bad[n] = append(bad[n], scan.Text())
		}
	}
	if len(bad) == 0 {
		t.Fatalf("the validator finds nothing at all: %s", out)
	}
	return bad
}

// TestAnswersElsewhere lets the validator judge what the stand-in answers to the whole table. The one difference that
// is known: the tree of a form error, whose codes are strings on Discord and numbers in the published specification.
func TestAnswersElsewhere(t *testing.T) {
	command := strings.Fields(os.Getenv("SANDBOX_VALIDATOR"))
	if len(command) == 0 {
		t.Skip("SANDBOX_VALIDATOR names no validator to compare with")
	}
	var buf bytes.Buffer
	t.Run("table", func(t *testing.T) { runTable(t, &lockedWriter{w: &buf}) })
	for _, lines := range validate(t, command, &buf) {
		for _, line := range lines {
			if strings.Contains(line, "] response") && !strings.Contains(line, "response/errors") {
				t.Error(line)
			}
		}
	}
}

// pathFor is a path of a route as the published specification knows it.
func pathFor(route string) string {
	const id = "1390000000000000901"
	if strings.HasPrefix(route, "{callback") {
		return "/interactions/" + id + "/aW50ZXJhY3Rpb24/callback"
	}
	return map[string]string{
		"{channel}": "/channels/" + id + "/messages", "{message}": "/channels/" + id + "/messages/" + id,
		"{message v2}": "/channels/" + id + "/messages/" + id, "{follow-up}": "/webhooks/" + id + "/aW50ZXJhY3Rpb24",
		"{original}": "/webhooks/" + id + "/aW50ZXJhY3Rpb24/messages/@original", "{commands}": "/applications/" + id + "/commands",
		"{guild commands}": "/applications/" + id + "/guilds/" + id + "/commands",
		"{command}":        "/applications/" + id + "/commands/" + id, "{direct}": "/users/@me/channels",
	}[route]
}
