package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A word is a pattern that the program does not use, what to write instead, and the texts that may begin with it.
type word struct {
	pattern *regexp.Regexp
	instead string
	except  *regexp.Regexp // nil without exceptions
}

// words reads the table of words: a pattern, what to write instead and, if there are any, the exceptions, with tabs
// between them.
func words(t *testing.T) (all []word) {
	t.Helper()
	text, err := os.ReadFile("testdata/words.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(line, "\t")
		if len(columns) < 2 {
			t.Fatalf("no tab in %q", line)
		}
		w := word{pattern: regexp.MustCompile(`(?i)\b(?:` + columns[0] + `)\b`), instead: columns[1]}
		if len(columns) > 2 {
			w.except = regexp.MustCompile(`^(?:` + columns[2] + `)`)
		}
		all = append(all, w)
	}
	return all
}

// A sentence is a text that somebody reads, and its place.
type sentence struct {
	place string
	text  string
}

// sentences returns the texts of a file: the strings with a space and the comments of Go without tests, the lines of
// Markdown and lessons outside of blocks of code.
func sentences(file string, text []byte) (all []sentence, err error) {
	switch path.Ext(file) {
	case ".md", ".txt":
		code, number := false, 0
		for line := range strings.Lines(string(text)) {
			number++
			if strings.HasPrefix(line, "```") {
				code = !code
			}
			if !code {
				all = append(all, sentence{fmt.Sprintf("%s:%d", file, number), line})
			}
		}
	case ".go":
		if strings.HasSuffix(file, "_test.go") {
			return nil, nil
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		add := func(pos token.Pos, text string) {
			place := fmt.Sprintf("%s:%d", file, set.Position(pos).Line)
			all = append(all, sentence{place, strings.Join(strings.Fields(text), " ")})
		}
		for _, c := range f.Comments {
			add(c.Pos(), c.Text())
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if s, err := strconv.Unquote(l.Value); err == nil && strings.Contains(s, " ") {
					add(l.Pos(), s)
				}
			}
			return true
		})
	}
	return all, nil
}

// The program is written in plain words. The table says which words it does not use and what to write instead.
func TestPlainWords(t *testing.T) {
	table := words(t)
	var found []string
	err := fs.WalkDir(os.DirFS(root), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
				return fs.SkipDir
			}
			return err
		}
		if slices.Contains([]string{".md", ".txt", ".go"}, path.Ext(file)) {
			text, err := os.ReadFile(root + "/" + file)
			if err != nil {
				return err
			}
			all, err := sentences(file, text)
			if err != nil {
				return err
			}
			for _, s := range all {
				found = append(found, violations(table, s)...)
			}
		}
		return nil
	})
	require.NoError(t, err)
	slices.Sort(found)
	for _, line := range found {
		t.Error(line)
	}
}

// violations lists the words of the table that a sentence uses.
func violations(table []word, s sentence) (found []string) {
	for _, w := range table {
		for _, position := range w.pattern.FindAllStringIndex(s.text, -1) {
			if w.except != nil && w.except.MatchString(s.text[position[0]:]) {
				continue
			}
			from, end := max(0, position[0]-40), min(len(s.text), position[1]+40)
			found = append(found, fmt.Sprintf("%s: %q in %q: write %s", s.place, s.text[position[0]:position[1]],
				strings.ToValidUTF8(s.text[from:end], ""), w.instead))
		}
	}
	return found
}
