package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"bandscope/tui/guide"
	"bandscope/tui/theme"
)

func guideCommand() *cobra.Command {
	var search string
	c := &cobra.Command{Use: "guide [TOPIC]", Short: "Show a guide in the terminal; without a topic, list the topics",
		Long: "Show a guide in the terminal; without a topic, list the topics. If the output is not a terminal, as in\n" +
			"bandscope guide explorer | less, the guide is printed as Markdown.\n\n" + guideList(),
		Example:   "  bandscope guide\n  bandscope guide getting-started\n  bandscope guide --search 'leave-one-out'",
		Args:      args(cobra.MaximumNArgs(1)),
		ValidArgs: guideNames(),
		RunE: func(c *cobra.Command, topics []string) error {
			out := c.OutOrStdout()
			switch {
			case c.Flags().Changed("search") && len(topics) > 0:
				return asUsage(errors.New("--search searches all guides: leave out the topic"))
			case c.Flags().Changed("search"):
				return listSections(out, search)
			case len(topics) == 0:
				for _, t := range guide.Topics() {
					fmt.Fprintf(out, "%-17s  %s\n", t.Name, t.About)
				}
				return nil
			}
			t, err := guide.Find(topics[0])
			if err != nil {
				return asUsage(err)
			}
			return showGuide(out, t)
		}}
	c.Flags().StringVar(&search, "search", "", "list the sections that contain all these words")
	return c
}

// guideTopics are the guides to which the help of a command links, by the command's path below the program's name.
var guideTopics = map[string][]string{
	"ask":           {"own-experiment", "plates"},
	"branch":        {"sessions"},
	"check":         {"diagnostics"},
	"check method":  {"diagnostics"},
	"compare":       {"explorer"},
	"correct":       {"own-experiment", "sessions"},
	"eval":          {"command-line"},
	"explain":       {"getting-started"},
	"export":        {"sessions", "formats"},
	"lab":           {"trainings"},
	"lesson":        {"lessons"},
	"lesson check":  {"lessons"},
	"lesson export": {"lessons"},
	"lesson forget": {"lessons"},
	"lesson new":    {"lessons"},
	"list":          {"methods", "defaults"},
	"add":           {"own-experiment"},
	"discard":       {"own-experiment"},
	"man":           {"command-line"},
	"import":        {"formats", "plates"},
	"new":           {"own-experiment"},
	"open":          {"getting-started", "explorer", "keys"},
	"pipe":          {"evaluators", "formats"},
	"play":          {"playground"},
	"predict":       {"sessions"},
	"replay":        {"sessions"},
	"run":           {"methods", "evaluators", "own-optimizer", "sessions"},
	"show":          {"own-experiment", "sessions"},
	"study":         {"studies", "published-results"},
	"tell":          {"own-experiment", "plates"},
	"why":           {"diagnostics"},
	"work":          {"studies", "own-optimizer"},
}

// guideList names all guides.
func guideList() string {
	return "The topics are " + strings.Join(guideNames(), ", ") + "."
}

// guideAnnotation is the annotation of a command with the last line of its help.
const guideAnnotation = "guide"

// linkGuides ends the help of every command that has a guide with the command that shows it. It also wraps the help at
// helpWidth columns.
func linkGuides(root *cobra.Command) {
	root.SetHelpTemplate("{{if not .HasParent}}{{.UsageString}}{{else}}" + root.HelpTemplate() + "{{end}}{{with index .Annotations \"" + guideAnnotation + "\"}}\n{{.}}\n" +
		"{{end}}")
	usage := strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", fmt.Sprint(".FlagUsagesWrapped ", helpWidth))
	root.SetUsageTemplate("{{if .HasParent}}" + usage + "{{else}}" + rootHelp + "{{end}}")
	var link func(c *cobra.Command)
	link = func(c *cobra.Command) {
		c.Long = wrapParagraphs(c.Long)
		path := strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), root.Name()), " ")
		if topics := guideTopics[path]; topics != nil {
			c.Annotations = map[string]string{guideAnnotation: guideLine(topics)}
		}
		for _, sub := range c.Commands() {
			link(sub)
		}
	}
	link(root)
}

// helpWidth is the width of help in columns.
const helpWidth = 80

// wrapParagraphs wraps paragraphs at helpWidth. Indented lines stay as they are.
func wrapParagraphs(text string) string {
	var blocks []string
	for _, block := range strings.Split(text, "\n\n") {
		if !strings.HasPrefix(block, " ") {
			block = strings.TrimRight(wrapText("", block), "\n")
		}
		blocks = append(blocks, block)
	}
	return strings.Join(blocks, "\n\n")
}

// guideLine is the last line of a command's help.
func guideLine(topics []string) string {
	line := "Guide: "
	if len(topics) > 1 {
		line = "Guides: "
	}
	return line + "bandscope guide " + strings.Join(topics, ", bandscope guide ")
}

func guideNames() (names []string) {
	for _, t := range guide.Topics() {
		names = append(names, t.Name)
	}
	return names
}

// listSections writes the sections that contain all words, each with its first line that has one of them.
func listSections(out io.Writer, words string) error {
	found := guide.Search(words)
	if len(found) == 0 {
		return fmt.Errorf("no guide contains %q; bandscope explain --search searches the glossary", words)
	}
	wanted := strings.Fields(strings.ToLower(words))
	has := func(line string) bool {
		line = strings.ToLower(line)
		return slices.ContainsFunc(wanted, func(w string) bool { return strings.Contains(line, w) })
	}
	for _, s := range found {
		fmt.Fprintf(out, "%s: %s\n", s.Topic, s.Title)
		for line := range strings.Lines(s.Text) {
			if has(line) {
				fmt.Fprintf(out, "    %s\n", strings.TrimSpace(line))
				break
			}
		}
	}
	return nil
}

// maxGuideWidth is the widest line of text that is comfortable to read, in columns.
const maxGuideWidth = 100

// showGuide writes a guide: laid out and coloured on a terminal, elsewhere as Markdown.
func showGuide(out io.Writer, t guide.Topic) error {
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(f.Fd()) {
		_, err := io.WriteString(out, t.Text)
		return err
	}
	width := 80
	if w, _, err := term.GetSize(f.Fd()); err == nil && w > 0 {
		width = min(w, maxGuideWidth)
	}
	st := theme.New(true, theme.NoColor, false) // bold text is readable on every background
	_, err := fmt.Fprintln(colorprofile.NewWriter(f, os.Environ()), strings.Join(t.Render(st, width), "\n"))
	return err
}
