package guide_test

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"bandscope/tui/guide"
)

// Bounds on the documents, in lines and in columns.
const (
	maxReadme  = 200
	maxGuide   = 325
	maxColumns = 120
)

// readmePath is the README, from here.
const readmePath = "../../README.md"

// readme is the text of the README.
func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(readmePath)
	require.NoError(t, err)
	return string(text)
}

// documents are the README and all guides by their paths.
func documents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{readmePath: readme(t)}
	paths, err := filepath.Glob("*.md")
	require.NoError(t, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		all[path] = string(text)
	}
	return all
}

// Every document is short enough to be read, every guide is a topic, and the README links to all of them.
func TestLengths(t *testing.T) {
	all := documents(t)
	for path, text := range all {
		most := maxGuide
		if path == readmePath {
			most = maxReadme
		}
		if n := strings.Count(text, "\n"); n > most {
			t.Errorf("%s has %d lines, at most %d are allowed", path, n, most)
		}
		for i, line := range strings.Split(text, "\n") {
			if w := ansi.StringWidth(line); w > maxColumns && !transcript(line) {
				t.Errorf("%s:%d has %d columns, at most %d are allowed", path, i+1, w, maxColumns)
			}
		}
		name := strings.TrimSuffix(path, ".md")
		named := func(g guide.Topic) bool { return g.Name == name }
		if path != readmePath && !slices.ContainsFunc(guide.Topics(), named) {
			t.Errorf("%s is no topic: add it to names", path)
		}
	}
	for _, topic := range guide.Topics() {
		if !strings.Contains(all[readmePath], "(tui/guide/"+topic.Name+".md)") {
			t.Errorf("the README does not link to %s.md", topic.Name)
		}
		if !strings.HasPrefix(topic.Text, "# "+topic.Title+"\n\n") || len(topic.About) < 20 || len(topic.About) > 250 {
			t.Errorf("%s: the title is %q, the first sentence %q", topic.Name, topic.Title, topic.About)
		}
	}
}

// transcript reports whether a line is what a program prints, which cannot be broken.
func transcript(line string) bool {
	return regexp.MustCompile(`^\d+ +\w+ = |^bandscope: `).MatchString(line)
}

var (
	links   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// Every link leads to a file that there is, and to a heading in it.
func TestLinks(t *testing.T) {
	for path, text := range documents(t) {
		for _, l := range links.FindAllStringSubmatch(codes.ReplaceAllString(text, ""), -1) {
			file, anchor, _ := strings.Cut(l[1], "#")
			if strings.Contains(file, "://") {
				continue
			}
			target := filepath.Join(filepath.Dir(path), file)
			if file == "" {
				target = path
			}
			end, err := os.ReadFile(target)
			if err != nil {
				t.Errorf("%s: %s: %v", path, l[1], err)
			} else if anchor != "" && !slices.Contains(anchors(string(end)), anchor) {
				t.Errorf("%s: %s has no heading %q", path, file, anchor)
			}
		}
	}
}

// anchors are the headings of a document as GitHub names them in links.
func anchors(text string) (all []string) {
	for _, h := range heading.FindAllStringSubmatch(text, -1) {
		all = append(all, strings.Map(func(r rune) rune {
			switch {
			case r == ' ' || r == '-':
				return '-'
			case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, h[1]))
	}
	return all
}

// A topic is found by its name in any case, one that is misspelt names the nearest, and a search finds sections.
func TestFindAndSearch(t *testing.T) {
	if g, err := guide.Find("Formats"); err != nil || g.Title != "Formats" {
		t.Errorf("formats: %q, %v", g.Title, err)
	}
	if _, err := guide.Find("getting-startd"); err == nil ||
		!strings.Contains(err.Error(), "did you mean getting-started") {
		t.Errorf("a name that is misspelt: %v", err)
	}
	found := guide.Search("LIMIT measured")
	limits := func(s guide.Section) bool { return s.Topic == "methods" && s.Title == "Limits on measured quantities" }
	if !slices.ContainsFunc(found, limits) {
		t.Errorf("found were %d sections, none of them about limits on what is measured", len(found))
	}
	if slices.ContainsFunc(guide.Search("bandscope"), func(s guide.Section) bool {
		return strings.HasPrefix(s.Title, "!")
	}) {
		t.Error("a comment in a script is a heading")
	}
}

// lessonPage is a page of a lesson.
type lessonPage struct{ text, question string } // the question with its reasons

// lessons are the pages of all lessons, and the tasks of their exercises, by the paths of the scripts.
func lessons(t *testing.T) map[string][]lessonPage {
	t.Helper()
	paths, err := filepath.Glob("../../sessions/library/lessons/*.md")
	if err != nil || len(paths) < 24 {
		t.Fatalf("%d lessons, %v", len(paths), err)
	}
	all := map[string][]lessonPage{}
	for _, path := range paths {
		script, err := os.ReadFile(path)
		require.NoError(t, err)
		_, body, _ := strings.Cut(string(script), "> begin\n")
		pages, ended := []lessonPage{{}}, false
		for line := range strings.Lines(body) {
			act, isAct := strings.CutPrefix(line, "> ")
			if !isAct && ended && strings.TrimSpace(line) != "" {
				pages, ended = append(pages, lessonPage{}), false
			}
			p := &pages[len(pages)-1]
			switch word, rest, _ := strings.Cut(act, " "); {
			case !isAct:
				p.text += line
			case word == "ask":
				p.question += strings.NewReplacer("*", "", " | ", ".\n").Replace(strings.TrimSpace(rest)) + ".\n"
			case word == "why":
				p.question += strings.TrimLeft(rest, "0123456789")
			}
			ended = ended || isAct
		}
		all[path] = pages
	}
	return all
}

// maxPageWords bounds the words of a page, without its formulas and what it asks: beside a plot at 80×24 there are
// about 18 lines of 30 columns. That every page fits there with its question is tested on the screens.
const maxPageWords = 60

// Every page of a lesson is short enough to be read at once, and so is the task of its exercise.
func TestLengthsOfLessons(t *testing.T) {
	pages := 0
	for path, all := range lessons(t) {
		for _, p := range all {
			title, body, _ := strings.Cut(p.text, "\n")
			if body == "" { // a task
				body = title
			}
			if n := len(strings.Fields(formulas.ReplaceAllString(codes.ReplaceAllString(body, ""), ""))); n > maxPageWords {
				t.Errorf("%s, %s: %d words, at most %d are allowed", path, title, n, maxPageWords)
			}
		}
		pages += len(all)
	}
	if pages < 250 {
		t.Errorf("%d pages", pages)
	}
}

// minEase bounds the reading ease of documents and lessons, except the list of keys.
const minEase, listOfKeys = 60, "keys.md"

// The Flesch reading ease of the documents and the lessons, the hardest first: 206.835 − 1.015·words/sentences −
// 84.6·syllables/words (Flesch 1948). From 60 on a text is plain English, below 30 it is as hard as a scientific
// paper. The ten hardest are named.
func TestReadingEase(t *testing.T) {
	type score struct {
		path string
		ease float64
	}
	var scores []score
	for path, text := range documents(t) {
		scores = append(scores, score{path, ease(text)})
	}
	for path, pages := range lessons(t) {
		text := ""
		for _, p := range pages {
			text += p.text + "\n\n" + p.question + "\n\n"
		}
		scores = append(scores, score{path, ease(text)})
	}
	slices.SortFunc(scores, func(a, b score) int { return cmp.Compare(a.ease, b.ease) })
	for i, s := range scores {
		if i < 10 {
			t.Logf("%5.1f  %s", s.ease, s.path)
		}
		if s.ease < minEase && s.path != listOfKeys {
			t.Errorf("%s has a reading ease of %.0f, at least %d is wanted: shorten its sentences", s.path, s.ease, minEase)
		}
	}
	easy := ease("The cat sat on the mat. It was warm.")
	hard := ease("Hyperparameter optimization necessitates computational experimentation.")
	if easy < 90 || hard > 0 {
		t.Errorf("an easy text has %.0f, a hard one %.0f", easy, hard)
	}
}

var (
	codes     = regexp.MustCompile("(?s)```.*?```|<!--.*?-->")
	formulas  = regexp.MustCompile(`(?m)^    .*$`)
	rows      = regexp.MustCompile(`(?m)^\|.*$|^#+ .*$`)
	spans     = regexp.MustCompile("`[^`]*`")
	targets   = regexp.MustCompile(`\]\([^)]*\)`)
	ends      = regexp.MustCompile(`[.!?](\s|$)|\n\s*\n|\n- `)
	vowels    = regexp.MustCompile(`[aeiouy]+`)
	wordOfOne = regexp.MustCompile(`[A-Za-z][A-Za-z'’]+`)
)

// ease is the Flesch reading ease of the prose of a Markdown text, without code, tables and headings.
func ease(text string) float64 {
	for _, r := range []*regexp.Regexp{codes, formulas, rows, targets} {
		text = r.ReplaceAllString(text, "")
	}
	text = spans.ReplaceAllString(text, "it")
	words := wordOfOne.FindAllString(text, -1)
	syllables, sentences := 0, 0
	for _, s := range ends.Split(text, -1) {
		if wordOfOne.MatchString(s) {
			sentences++
		}
	}
	for _, w := range words {
		w = strings.ToLower(w)
		n := len(vowels.FindAllString(w, -1))
		if strings.HasSuffix(w, "e") && !strings.HasSuffix(w, "le") && n > 1 {
			n--
		}
		syllables += max(n, 1)
	}
	n := float64(max(len(words), 1))
	return 206.835 - 1.015*n/float64(max(sentences, 1)) - 84.6*float64(syllables)/n
}
