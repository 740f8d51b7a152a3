package locale_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// call is a place in package bot that asks for a message.
type call struct {
	at       string   // file and line
	key      string   // "" where the key is computed
	computed string   // the file and the expression that makes the key
	names    []string // the placeholders that are filled in, sorted
}

// source is package bot, without its tests.
type source struct {
	files *token.FileSet
	bot   []*ast.File
}

func parseBot(t *testing.T) source {
	t.Helper()
	s := source{files: token.NewFileSet()}
	all, err := filepath.Glob(filepath.Join("..", "*.go"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no files of package bot: %v", err)
	}
	for _, name := range all {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(s.files, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		s.bot = append(s.bot, f)
	}
	return s
}

// helpers are the functions of package bot that take a key, and which of their
// arguments it is.
var helpers = map[string]int{"named": 1, "choiceOption": 2}

// calls finds every call of T and N, and of the helpers.
func (s source) calls(t *testing.T) (out []call) {
	t.Helper()
	for _, f := range s.bot {
		ast.Inspect(f, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch fun := c.Fun.(type) {
			case *ast.SelectorExpr:
				if name := fun.Sel.Name; name == "T" || name == "N" {
					out = append(out, s.read(t, c, 0, name == "N"))
				}
			case *ast.Ident:
				if i, ok := helpers[fun.Name]; ok {
					out = append(out, s.read(t, c, i, false))
				}
			}
			return true
		})
	}
	return out
}

func (s source) read(t *testing.T, c *ast.CallExpr, at int, counts bool) call {
	t.Helper()
	pos := s.files.Position(c.Pos())
	out := call{at: filepath.Base(pos.Filename) + ":" + strconv.Itoa(pos.Line)}
	if key, ok := literal(c.Args[at]); ok {
		out.key = key
	} else {
		out.computed = filepath.Base(pos.Filename) + " " + s.text(c.Args[at])
	}
	if at > 0 {
		return out // the rest are no placeholders
	}
	first := at + 1
	if counts {
		out.names, first = append(out.names, "N"), first+1
	}
	for i := first; i < len(c.Args); i += 2 {
		name, ok := literal(c.Args[i])
		if !ok || i+1 == len(c.Args) {
			t.Errorf("%s: %s is not a placeholder's name with a value", out.at, s.text(c.Args[i]))
		}
		out.names = append(out.names, name)
	}
	slices.Sort(out.names)
	return out
}

func (s source) text(n ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, s.files, n); err != nil {
		return err.Error()
	}
	return b.String()
}

// literal is the value of a string literal, also one that is put together.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.BinaryExpr:
		left, ok1 := literal(e.X)
		right, ok2 := literal(e.Y)
		return left + right, ok1 && ok2 && e.Op == token.ADD
	case *ast.ParenExpr:
		return literal(e.X)
	}
	return "", false
}

// refusals reads the constants of type Refusal from package match.
func refusals(t *testing.T) (keys []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "match", "refusal.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, ok := v.Type.(*ast.Ident); ok && of.Name == "Refusal" {
			for _, e := range v.Values {
				if key, ok := literal(e); ok {
					keys = append(keys, key)
				}
			}
		}
		return true
	})
	if len(keys) < 10 {
		t.Fatalf("only %d refusals found: %v", len(keys), keys)
	}
	return keys
}

// languages lists the files of messages.
func languages(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("*.toml")
	if err != nil || len(names) == 0 {
		t.Fatalf("no languages: %v", err)
	}
	return names
}
