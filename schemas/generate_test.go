package schemas

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"

	"github.com/patchvet/patchvet/isolation"
	"github.com/patchvet/patchvet/loop"
	"github.com/patchvet/patchvet/loop/feedback"
	"github.com/patchvet/patchvet/reports"
)

var update = flag.Bool("update", false, "rewrite the schemas")

const module = "github.com/patchvet/patchvet"

// generator makes schemas from the types of the module: descriptions are their
// comments, closed lists are their constants.
type generator struct {
	reflector jsonschema.Reflector
	consts    map[string][]any // by package folder and type, "loop.Outcome"
}

func newGenerator(t *testing.T) *generator {
	t.Helper()
	g := &generator{consts: map[string][]any{}}
	g.reflector = jsonschema.Reflector{Anonymous: true, Mapper: g.closedList}
	for _, dir := range []string{"isolation", "loop", "loop/feedback", "reports"} {
		if err := g.readConsts(dir); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"isolation", "loop", "reports"} {
		if err := g.reflector.AddGoComments(module+"/schemas", "../"+dir, jsonschema.WithFullComment()); err != nil {
			t.Fatal(err)
		}
	}
	// A description is one paragraph; the source breaks its lines.
	for key, text := range g.reflector.CommentMap {
		g.reflector.CommentMap[key] = strings.Join(strings.Fields(text), " ")
	}
	return g
}

// readConsts collects the typed string constants of a package.
func (g *generator) readConsts(dir string) error {
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(dir), "*.go"))
	if err != nil {
		return err
	}
	slices.Sort(files)
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.CONST {
				continue
			}
			for _, spec := range gen.Specs {
				g.addConst(filepath.Base(dir), spec.(*ast.ValueSpec))
			}
		}
	}
	return nil
}

func (g *generator) addConst(pkg string, spec *ast.ValueSpec) {
	typ, ok := spec.Type.(*ast.Ident)
	if !ok || len(spec.Values) != 1 {
		return
	}
	if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
		if word, err := strconv.Unquote(lit.Value); err == nil {
			key := pkg + "." + typ.Name
			g.consts[key] = append(g.consts[key], word)
		}
	}
}

// closedList maps a string type with constants to their list. A class or a
// rule may be empty: there was no command, no rule fired.
func (g *generator) closedList(t reflect.Type) *jsonschema.Schema {
	if t.Kind() != reflect.String || !strings.HasPrefix(t.PkgPath(), module+"/") {
		return nil
	}
	words := slices.Clone(g.consts[t.String()])
	switch t {
	case reflect.TypeFor[isolation.Class](), reflect.TypeFor[loop.Rule]():
		words = append(words, "")
	}
	return &jsonschema.Schema{Type: "string", Enum: words}
}

// document is the schema of one type, with its title and its id.
func (g *generator) document(v any, name, title string) *jsonschema.Schema {
	s := g.reflector.Reflect(v)
	s.ID = jsonschema.ID("https://" + module + "/schemas/" + fileName(name))
	s.Title = title
	return s
}

func (g *generator) ledger() *jsonschema.Schema {
	s := g.document(reports.Ledger{}, "ledger", "patchvet ledger (loop.json)")
	if merged, ok := s.Definitions["Ledger"].Properties.Get("merged"); ok {
		merged.Const = false
	}
	return s
}

func (g *generator) feedback() *jsonschema.Schema {
	s := g.document(feedback.Feedback{}, "feedback", "patchvet feedback (feedback.json)")
	if version, ok := s.Definitions["Feedback"].Properties.Get("contract_version"); ok {
		version.Const = feedback.ContractVersion
	}
	return s
}

// journalEvent is the schema of one line of journal.jsonl: the type of an
// event decides the form of its data.
func (g *generator) journalEvent(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s := g.document(loop.Event{}, "journal-event", "patchvet journal event (a line of journal.jsonl)")
	event := s.Definitions["Event"]
	for _, word := range g.consts["loop.EventType"] {
		payload, err := loop.Event{Type: loop.EventType(word.(string)), Data: json.RawMessage("{}")}.Decode()
		if err != nil {
			t.Fatalf("event type %s: %v", word, err)
		}
		data := g.reflector.Reflect(payload)
		for name, def := range data.Definitions {
			s.Definitions[name] = def
		}
		props := jsonschema.NewProperties()
		props.Set("type", &jsonschema.Schema{Const: word})
		props.Set("data", &jsonschema.Schema{Ref: data.Ref})
		event.OneOf = append(event.OneOf, &jsonschema.Schema{Properties: props})
	}
	return s
}

func (g *generator) all(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	return map[string]*jsonschema.Schema{
		"ledger":        g.ledger(),
		"envelope":      g.document(reports.Envelope{}, "envelope", "patchvet envelope (loop.json.envelope.json)"),
		"feedback":      g.feedback(),
		"journal-event": g.journalEvent(t),
	}
}

func fileName(name string) string { return name + ".schema.json" }

// Guards the committed schemas against the code. It is not parallel, so that
// with -update it is done before the others read the schemas.
func TestSchemasFitTheCode(t *testing.T) {
	want := map[string]bool{}
	for name, s := range newGenerator(t).all(t) {
		var buf bytes.Buffer
		enc := json.NewEncoder(&buf)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		want[fileName(name)] = true
		if *update {
			if err := os.WriteFile(fileName(name), buf.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		committed, err := os.ReadFile(fileName(name))
		if err != nil {
			t.Errorf("%v (go test ./schemas -update writes it)", err)
			continue
		}
		if diff := cmp.Diff(string(committed), buf.String()); diff != "" {
			t.Errorf("%s differs from the code (-committed +code); go test ./schemas -update writes it:\n%s", fileName(name), diff)
		}
	}
	committed, err := fs.Glob(os.DirFS("."), "*.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range committed {
		if !want[name] {
			t.Errorf("%s is generated from nothing", name)
		}
	}
}

// Guards the lists themselves: a type whose constants were not found would
// give a schema that forbids or allows everything.
func TestClosedListsAreFound(t *testing.T) {
	t.Parallel()
	g := newGenerator(t)
	for key, least := range map[string]int{
		"loop.Outcome": 19, "loop.Rule": 6, "loop.EventType": 10,
		"isolation.Class": 9, "isolation.Role": 5, "isolation.Tier": 5, "feedback.Phase": 11,
	} {
		if n := len(g.consts[key]); n < least {
			t.Errorf("%s has %d constants, want at least %d", key, n, least)
		}
	}
}
