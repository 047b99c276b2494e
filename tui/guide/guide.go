// Package guide holds the guides of the program: one Markdown file per topic, compiled into the binary. It lists the
// topics, finds one by name and searches their sections. The command `bandscope guide` draws them.
package guide

import (
	"embed"
	"strings"

	"bandscope/functions/didyoumean"
)

//go:embed *.md
var files embed.FS

// names are the topics in reading order.
var names = []string{"getting-started", "explorer", "playground", "keys", "own-experiment", "mixtures", "plates",
	"tables", "evaluators", "own-optimizer", "python", "agents", "steering", "diagnostics", "sessions", "studies",
	"published-results", "lessons", "class", "methods", "defaults", "trainings", "performance", "installing", "command-line",
	"formats"}

// Topic is one guide.
type Topic struct {
	Name  string // on the command line, and the file's name without .md
	Title string
	About string // the first sentence
	Text  string // the whole guide, in Markdown
}

// Section is the part of a guide below one heading, up to the next heading.
type Section struct{ Topic, Title, Text string }

// Topics returns all guides in reading order.
func Topics() []Topic {
	topics := make([]Topic, len(names))
	for i, name := range names {
		text, err := files.ReadFile(name + ".md")
		if err != nil {
			panic(err) // names and files are compiled in together; a test reads them all
		}
		topics[i] = parse(name, string(text))
	}
	return topics
}

// parse reads the title and the first sentence of a guide.
func parse(name, text string) Topic {
	title, rest, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n\n")
	about, _, _ := strings.Cut(strings.ReplaceAll(rest, "\n", " "), ". ")
	return Topic{Name: name, Title: title, About: about + ".", Text: text}
}

// Find returns the guide with a name; the error for an unknown name suggests the nearest ones.
func Find(name string) (Topic, error) {
	for _, t := range Topics() {
		if t.Name == strings.ToLower(name) {
			return t, nil
		}
	}
	return Topic{}, didyoumean.NewUnknownError("guide", name, names)
}

// Search returns the sections whose heading or text contains all words, in any case.
func Search(words string) (found []Section) {
	for _, t := range Topics() {
		for _, s := range sections(t) {
			text := strings.ToLower(s.Title + "\n" + s.Text)
			has := true
			for _, w := range strings.Fields(strings.ToLower(words)) {
				has = has && strings.Contains(text, w)
			}
			if has {
				found = append(found, s)
			}
		}
	}
	return found
}

// sections splits a guide at its headings. A line of code that begins with # is no heading.
func sections(t Topic) (all []Section) {
	code := false
	for line := range strings.Lines(t.Text) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if title := strings.TrimLeft(line, "#"); !code && title != line && strings.HasPrefix(title, " ") {
			all = append(all, Section{Topic: t.Name, Title: strings.TrimSpace(title)})
		} else if len(all) > 0 {
			all[len(all)-1].Text += line
		}
	}
	return all
}
