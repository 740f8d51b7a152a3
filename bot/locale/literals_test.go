package locale_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// prose is a text of two words or more, or a word beside a space: what a person
// would read.
var prose = regexp.MustCompile(`[A-Za-z]{2,}[,.!?:;]? |[ ][A-Za-z]{2,}`)

// allowed are literals of package bot that look like prose and reach nobody.
var allowed = map[string]string{}

// logging are the methods whose texts go to the operator's log.
var logging = map[string]bool{
	"Debug": true, "Info": true, "Warn": true, "Error": true, "With": true,
	"DebugContext": true, "InfoContext": true, "WarnContext": true, "ErrorContext": true,
}

// All that people read comes from the languages' files: no sentence stands in
// the handlers.
func TestNoSentencesInHandlers(t *testing.T) {
	s := parseBot(t)
	seen := map[string]bool{}
	for _, f := range s.bot {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field: // with its tag
				return n.Tag == nil
			case *ast.ImportSpec:
				return false
			case *ast.CallExpr:
				if forOperator(n) {
					return false
				}
			case *ast.BasicLit:
				if n.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(n.Value)
				if err != nil || !prose.MatchString(text) {
					return true
				}
				seen[text] = true
				if _, ok := allowed[text]; !ok {
					t.Errorf("%v: %q belongs into a language's file", s.files.Position(n.Pos()), text)
				}
			}
			return true
		})
	}
	for text := range allowed {
		if !seen[text] {
			t.Errorf("%q is allowed but no longer there", text)
		}
	}
}

// forOperator reports whether a call makes an error or a line of the log.
func forOperator(c *ast.CallExpr) bool {
	fun, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if pkg, ok := fun.X.(*ast.Ident); ok && (pkg.Name == "errors" && fun.Sel.Name == "New" || pkg.Name == "fmt" && fun.Sel.Name == "Errorf") {
		return true
	}
	return logging[fun.Sel.Name] && strings.Contains(exprText(fun.X), "log")
}

// exprText names what a method is called on: "b.log".
func exprText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return exprText(e.X) + "." + e.Sel.Name
	}
	return ""
}
