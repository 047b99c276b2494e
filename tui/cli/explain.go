package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"bandscope/sessions/lesson/glossary"
	"bandscope/sessions/sanitize"
	"bandscope/tui"
	"bandscope/tui/theme"
)

type explainOptions struct {
	search      string
	ascii, json bool
}

func explainCommand() *cobra.Command {
	var o explainOptions
	c := &cobra.Command{Use: "explain [TERM]...",
		Short: "Explain a term with its formula and source",
		Example: "  bandscope explain\n  bandscope explain posterior\n  bandscope explain pareto front\n" +
			"  bandscope explain EI UCB NTK\n  bandscope explain --search 'lengthscale kernel'",
		Args:              args(cobra.ArbitraryArgs),
		ValidArgsFunction: completeFurther(termWords),
		RunE: func(c *cobra.Command, names []string) error {
			if c.Flags().Changed("search") && len(names) > 0 {
				return usagef("--search looks through all terms: leave out the term")
			}
			return o.write(c.Context(), c.OutOrStdout(), names, c.Flags().Changed("search"))
		}}
	c.Flags().StringVar(&o.search, "search", "", "list the terms whose texts contain all these words")
	c.Flags().BoolVar(&o.ascii, "ascii", false, "print ASCII characters only")
	c.Flags().BoolVar(&o.json, "json", false, "print a JSON list of complete terms")
	return c
}

// termWords are what a shell offers: names of terms as they can be typed without quotes.
func termWords(_ context.Context, _ []string, typed string) (list []string) {
	for _, t := range glossary.All() {
		for _, name := range append([]string{t.Name}, t.Synonyms...) {
			form := strings.ReplaceAll(glossary.Plain(name), " ", "-")
			if !strings.HasPrefix(form, typed) {
				form = strings.ToLower(form)
			}
			if !strings.ContainsAny(form, "()'*,@^") {
				list = append(list, form+"\t"+t.First())
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (o explainOptions) write(ctx context.Context, out io.Writer, names []string, searched bool) error {
	terms, full := glossary.All(), false
	switch {
	case searched:
		terms = glossary.Search(o.search)
		if len(terms) == 0 {
			return usagef("no term contains %q; bandscope explain lists all terms", o.search)
		}
	case len(names) > 0:
		var err error
		terms, err = findTerms(ctx, names)
		if err != nil {
			return asUsage(err)
		}
		full = true
	}
	if o.json {
		return sanitize.IndentedJSON(out, terms)
	}
	column := 0
	for _, t := range terms {
		column = max(column, utf8.RuneCountInString(termText(t.Name, o.ascii)))
	}
	var b strings.Builder
	st := o.style(out)
	for i, t := range terms {
		switch {
		case !full:
			fmt.Fprintf(&b, "%-*s  %s\n", column, termText(t.Name, o.ascii), t.First())
		case i > 0:
			b.WriteString("\n")
			fallthrough
		default:
			b.WriteString(describeTerm(st, t))
		}
	}
	if len(terms) == len(glossary.All()) {
		b.WriteString("\nbandscope explain TERM explains a term; bandscope explain --search WORDS searches their texts\n")
	}
	text := b.String()
	if o.ascii {
		text = glossary.Plain(text)
	}
	_, err := io.WriteString(out, text)
	return err
}

// style is the style of the output: terminals that show links get them.
func (o explainOptions) style(out io.Writer) theme.Style {
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(f.Fd()) || os.Getenv("NO_COLOR") != "" {
		return theme.New(true, theme.NoColor, o.ascii)
	}
	return theme.New(true, tui.TierFor(colorprofile.Detect(f, os.Environ())), o.ascii)
}

func termText(name string, ascii bool) string {
	if ascii {
		return glossary.Plain(name)
	}
	return name
}

// findTerms finds the terms that are named: one of several words, or one a word.
func findTerms(ctx context.Context, names []string) (terms []glossary.Term, err error) {
	if t, err := glossary.Find(strings.Join(names, " ")); err == nil {
		return []glossary.Term{t}, nil
	}
	for _, name := range names {
		t, err := glossary.Find(name)
		if err != nil {
			if place := commandListing(ctx, name); place != "" {
				return nil, fmt.Errorf("no term %q, but %s describes it", name, place)
			}
			return nil, fmt.Errorf("%w; bandscope explain lists all terms, --search searches their texts", err)
		}
		terms = append(terms, t)
	}
	return terms, nil
}

// commandListing is the command that describes a name which is not a term; empty if there is none.
func commandListing(ctx context.Context, name string) string {
	for _, kind := range listKinds {
		if kind == "sessions" {
			continue
		}
		for _, w := range listWords(kind, new(string))(ctx, nil, "") {
			if known, _, _ := strings.Cut(w, "\t"); known == name {
				return "bandscope list " + kind + " " + name
			}
		}
	}
	return ""
}

// describeTerm is a complete term in lines of at most helpWidth columns.
func describeTerm(st theme.Style, t glossary.Term) string {
	var b strings.Builder
	b.WriteString(t.Name)
	if len(t.Synonyms) > 0 {
		b.WriteString("  (also " + strings.Join(t.Synonyms, ", ") + ")")
	}
	b.WriteString("\n" + wrapText("  ", t.Definition))
	if t.Formula != "" {
		b.WriteString("\n")
		for part := range strings.SplitSeq(t.Formula, "   ") { // three spaces separate lines
			b.WriteString(wrapText("    ", part))
		}
	}
	b.WriteString("\n" + describeSource(st, t) + wrapText("  related  ", strings.Join(t.Related, ", ")))
	for i, s := range t.See {
		first := "  see      "
		if i > 0 {
			first = "           "
		}
		place := s.Command
		if s.Key != "" {
			place = fmt.Sprintf("key %s on the screen (%s in the help)", s.Key, s.Where)
		}
		b.WriteString(first + place + "\n" + wrapText("             ", s.Shows))
	}
	return b.String()
}

// describeSource is the source of a term, with links to its publications.
func describeSource(st theme.Style, t glossary.Term) string {
	const first = "  source   "
	lines := strings.Split(strings.TrimSuffix(wrapText(first, t.Source), "\n"), "\n")
	for i := range lines {
		lines[i] = lines[i][len(first):]
	}
	links := make([]theme.Link, len(t.Links))
	for i, l := range t.Links {
		links[i] = theme.Link(l)
	}
	return first + strings.Join(st.PaintLinked(theme.Color{}, lines, links), "\n"+strings.Repeat(" ", len(first))) + "\n"
}

// wrapText breaks a text into lines of at most helpWidth columns. The first line begins with first; the others are
// indented by its width.
func wrapText(first, text string) string {
	var b strings.Builder
	line, below := first, strings.Repeat(" ", utf8.RuneCountInString(first))
	for _, word := range strings.Fields(text) {
		if line != first && line != below && utf8.RuneCountInString(line+" "+word) > helpWidth {
			b.WriteString(line + "\n")
			line = below
		}
		if line != first && line != below {
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}
