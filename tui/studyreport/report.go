// Package studyreport draws a study: the charts of its curves, ranks and shares, for the screen and for the page, and the
// page itself, one HTML file that refers to nothing outside of it, with the question, the progress, the results in
// tables and pictures beside those of the paper, and how to repeat the study. The statistics are package stats's.
package studyreport

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/sessions/study/stats"
	"bandscope/tui/theme"
)

// contents are what the page's template fills in.
type contents struct {
	Title, Name, Version string
	Styles               template.CSS // of pictures on a dark page
	Facts                []string
	About                []fact
	Methods              []method
	Unfinished           []fact // cells that are not done, by the reason
	Printed              *table
	Finals               table
	FinalsCut            int
	Curves               []figure
	CurvesNote           string
	CurvesCut            int
	Together             []figure // over all problems
	Pairs                *table
	PairsAbout           []string
	Commands             []string
	Declared             string // the study's file
}

// fact is something that is known of the study.
type fact struct{ Term, Text string }

// method is a method with how it is drawn.
type method struct {
	Letter, Name, About string
	Sample              template.HTML
}

// figure is a picture with what it shows.
type figure struct {
	Title   string
	Picture template.HTML
	Caption []string
}

//go:embed page.html
var pageText string

var page = template.Must(template.New("report").Parse(pageText))

// page numbers: how many problems have a picture and how many a row of the table, so that a browser shows the page of
// any study.
const (
	maxPictures = 60
	maxRows     = 400
)

// writer puts the page of a study together.
type writer struct {
	contents
	table     *study.Table
	runs      *stats.Runs // with the instances of a function as its runs
	instances int         // that a function has, at most
	style     MethodStyle
}

// HTML writes the page of a study as far as it has come. It stops with the context.
func HTML(ctx context.Context, w io.Writer, t *study.Table) error {
	whole, instances := stats.JoinInstances(t)
	p := &writer{table: t, runs: stats.CurvesFor(whole, stats.DefaultAxis), instances: instances}
	p.style = MethodStyle{Style: theme.New(false, theme.TrueColor, false), Methods: p.runs.Methods,
		Labels: p.runs.Labels, Selected: -1}
	p.head()
	p.progress()
	p.printed()
	p.finals()
	for _, part := range []func(context.Context) error{p.curves, p.together} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	p.pairs()
	if err := p.repeat(); err != nil {
		return err
	}
	var text bytes.Buffer // so that there is a page, or none
	if err := page.Execute(&text, p.contents); err != nil {
		return err
	}
	_, err := text.WriteTo(w)
	return err
}

// head describes the study.
func (p *writer) head() {
	d := p.table.Declaration
	p.Name = sanitize.Text(d.Name)
	p.Title = sanitize.Text(d.Title)
	p.Version = sessions.ProgramVersion()
	if p.Title == "" {
		p.Title = p.Name
	}
	p.Styles = darkStyles()
	add := func(term, format string, args ...any) {
		p.About = append(p.About, fact{term, sanitize.Text(fmt.Sprintf(format, args...))})
	}
	if d.Source != "" {
		add("source", "%s", d.Source)
	}
	if d.Note != "" {
		add("note", "%s", strings.Join(strings.Fields(d.Note), " "))
	}
	names := make([]string, len(p.runs.Problems))
	measures := []string{}
	for i, problem := range p.runs.Problems {
		names[i] = problem.Name
		if m := string(problem.Measure); !slices.Contains(measures, m) {
			measures = append(measures, m)
		}
	}
	const most = 30 // problems that are named
	list := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		list += fmt.Sprintf(" and %d more", len(names)-most)
	}
	add(fmt.Sprintf("problems (%d)", len(names)), "%s", list)
	if p.instances > 1 {
		add("instances", "up to %d per function, counted as its runs", p.instances)
	}
	add("measure", "%s", strings.Join(measures, ", "))
	var seeds []uint64
	for _, r := range p.table.Rows {
		if !slices.Contains(seeds, r.Seed) {
			seeds = append(seeds, r.Seed)
		}
	}
	if n := len(seeds); n > 0 {
		add("seeds", "%d, from %d to %d", n, slices.Min(seeds), slices.Max(seeds))
	}
	add("budget", "%s", p.budget())
	add("program", "%s", strings.Join(p.programs(), ", "))
	for k, text := range p.runs.Methods {
		m := method{Letter: Letter(k), Name: sanitize.Text(text), Sample: p.legendSample(k)}
		name := study.MethodName(text)
		if spec, err := study.FindMethod(name, p.table.Declaration.Own); err == nil {
			m.About = spec.Title + ": " + spec.Source
		}
		p.Methods = append(p.Methods, m)
	}
}

// budget says how many iterations a run has.
func (p *writer) budget() string {
	var budgets []int
	for _, r := range p.table.Rows {
		if !slices.Contains(budgets, r.Budget) {
			budgets = append(budgets, r.Budget)
		}
	}
	slices.Sort(budgets)
	switch n := len(budgets); n {
	case 0:
		return "none"
	case 1:
		return numfmt.Count(budgets[0], "step")
	default:
		return fmt.Sprintf("%d to %d steps, depending on the problem", budgets[0], budgets[n-1])
	}
}

// programs are the versions that made the runs.
func (p *writer) programs() (list []string) {
	for _, r := range p.table.Rows {
		if v := "bandscope " + r.Program; r.Program != "" && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		list = []string{"no run yet"}
	}
	return list
}

// progress describes the progress, and names the cells that failed.
func (p *writer) progress() {
	count := map[study.Status]int{}
	errors := map[string][]string{}
	var texts []string
	seconds := 0.0
	var began, ended time.Time
	for i := range p.table.Rows {
		r := &p.table.Rows[i]
		count[r.Status]++
		seconds += r.Seconds
		if !r.Began.IsZero() && (began.IsZero() || r.Began.Before(began)) {
			began = r.Began
		}
		if r.Ended.After(ended) {
			ended = r.Ended
		}
		text := ""
		switch {
		case r.Status == study.Failed:
			text = r.Error
		case r.Status == study.OtherVersion:
			text = "started by " + r.Program + "; only that version can continue it"
		}
		if text == "" {
			continue
		}
		if errors[text] == nil {
			texts = append(texts, text)
		}
		errors[text] = append(errors[text], fmt.Sprintf("%s by %s, seed %d", r.Problem, r.Method, r.Seed))
	}
	all := len(p.table.Rows)
	p.Facts = append(p.Facts, fmt.Sprintf("%d of %d runs done", count[study.Done], all))
	for _, s := range []struct {
		study.Status
		words string
	}{{study.Running, "running"}, {study.Waiting, "waiting"}, {study.Failed, "failed"},
		{study.OtherVersion, "by another version"}} {
		if n := count[s.Status]; n > 0 {
			p.Facts = append(p.Facts, fmt.Sprintf("%d %s", n, s.words))
		}
	}
	if seconds > 0 {
		p.Facts = append(p.Facts, "computing time "+lasting(seconds))
	}
	if !began.IsZero() {
		span := stamp(began)
		if !ended.IsZero() && stamp(ended) != span {
			span += " to " + stamp(ended)
		}
		p.Facts = append(p.Facts, span+" UTC")
	}
	const most = 5 // cells that are named for each reason
	for _, text := range texts {
		where := errors[text]
		named := strings.Join(where[:min(len(where), most)], "; ")
		if len(where) > most {
			named += fmt.Sprintf("; and %d more", len(where)-most)
		}
		p.Unfinished = append(p.Unfinished, fact{sanitize.Text(text), sanitize.Text(named)})
	}
}

// lasting writes a time in its two largest units.
func lasting(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%.2g s", seconds)
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// stamp is a time to the minute.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// repeat is how to repeat the study: the command, and its file if the study is not built in.
func (p *writer) repeat() error {
	d := p.table.Declaration
	text, err := toml.Marshal(d)
	if err != nil {
		return err
	}
	p.Declared = sanitize.Lines(strings.TrimSpace(string(text)))
	name := d.Name
	if builtin, ok := published.Find(d.Name); !ok || !reflect.DeepEqual(builtin, d) {
		name += ".toml"
	}
	p.Commands = []string{"bandscope study " + sanitize.Word(name)}
	return nil
}
