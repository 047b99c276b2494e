package export

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"bandscope/functions/digits"
	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
)

// Bounds of a report: a picture for each of the first steps with notes, and the rows of the table.
const (
	reportPictures = 12
	reportRows     = 2000
)

// contents are what the template fills in.
type contents struct {
	Title, Version, Begun string
	Summary               []string
	Columns               []string
	Rows                  [][]string
	Cut                   int // rows that were left out
	Params                [][3]string
	Notes                 []noted
	Picture               template.HTML
	Branches              []string
	Commands              []string
}

// noted is a step with what is written on it.
type noted struct {
	Step    int
	Text    template.HTML
	Picture template.HTML
}

// HTML writes a report of the branch on which a session stands, in one file: pictures, table, notes, parameters, and how to repeat it.
func HTML(ctx context.Context, w io.Writer, s *sessions.Session) error {
	s.Last()
	st := s.State()
	r := contents{Title: safe.Text(st.Title()), Version: sessions.ProgramVersion(), Begun: s.Started().UTC().Format("2006-01-02 15:04 MST")}
	image, err := picture(ctx, s)
	if err != nil {
		return err
	}
	r.Picture = template.HTML(image) //nolint:gosec // drawn here, its texts escaped
	r.summarize(st)
	r.table(st)
	for _, d := range st.Params.Decls() {
		r.Params = append(r.Params, [3]string{d.Key, d.Format(st.Params.Value(d.Key)), d.Help})
	}
	if branches, err := s.Branches(); err == nil && len(branches) > 1 {
		for _, b := range branches {
			r.Branches = append(r.Branches, safe.Text(fmt.Sprintf("%s: %s, %d steps, from step %d", b.Name, b.State.Spec.Name, len(b.State.Iterations), b.From)))
		}
	}
	r.Commands = commands(st)
	if err := r.notes(ctx, s); err != nil {
		return err
	}
	return page.Execute(w, r)
}

func (r *contents) summarize(st sessions.State) {
	add := func(format string, args ...any) {
		r.Summary = append(r.Summary, safe.Text(fmt.Sprintf(format, args...)))
	}
	add("%s on %s, %d steps", st.Spec.Title, st.Problem.Name, len(st.Iterations))
	t := report.AllTracesOf(st)
	n := len(st.Iterations)
	if t.Several != nil && n > 0 {
		add("hypervolume %s", digits.Of(t.Several.Hypervolume[n-1]))
		if m := report.MeasuredBy(st); m != "" {
			add("%s", m)
		}
		return
	}
	if x, y, step, ok := st.Best(); ok {
		add("best %s = %s at step %d, at %s", st.Problem.Objectives[0].Name, digits.Of(y), step, digits.List(x, ", "))
	}
	if t.Simple != nil && n > 0 {
		add("simple regret %s", digits.Of(t.Simple[n-1]))
	}
}

// table lists the observations.
func (r *contents) table(st sessions.State) {
	r.Columns = []string{"step", "by"}
	for _, v := range st.Problem.Domain {
		r.Columns = append(r.Columns, v.Name)
	}
	for _, o := range st.Problem.Objectives {
		r.Columns = append(r.Columns, o.Name)
	}
	r.Columns = append(r.Columns, "remarks")
	for _, it := range st.Iterations {
		for i, x := range it.X {
			if len(r.Rows) == reportRows {
				r.Cut++
				continue
			}
			row := []string{fmt.Sprint(it.Step), safe.Text(it.By)}
			for _, v := range append(append([]float64{}, x...), it.Y[i]...) {
				row = append(row, digits.Of(v))
			}
			r.Rows = append(r.Rows, append(row, safe.Text(remarks(it, i))))
		}
	}
}

// remarks are what is to be said of a point: that it failed, was corrected, or repeats another.
func remarks(it sessions.Iteration, point int) string {
	var said []string
	if it.Failed[point] {
		said = append(said, "no value")
	}
	for _, c := range it.Corrections {
		if c.Point == point {
			said = append(said, strings.TrimSuffix(fmt.Sprintf("was %s: %s", digits.List(c.Old, ", "), c.Reason), ": "))
		}
	}
	if it.Note != "" {
		said = append(said, it.Note)
	}
	return strings.Join(said, "; ")
}

// notes are what is written on the branch, with the plots of the steps.
func (r *contents) notes(ctx context.Context, s *sessions.Session) error {
	st := s.State()
	for step := 0; step <= len(st.Iterations); step++ {
		pictured := false
		for _, n := range st.NotesAt(step) {
			if n.Text == "" { // a mark
				continue
			}
			var text bytes.Buffer
			if err := safe.Markdown.Convert([]byte(safe.Lines(n.Text)), &text); err != nil {
				return err
			}
			entry := noted{Step: step, Text: template.HTML(text.String())} //nolint:gosec // HTML in it is text
			if !pictured && len(r.Notes) < reportPictures {
				pictured = true
				s.Seek(step)
				image, err := picture(ctx, s)
				if err != nil {
					return err
				}
				entry.Picture = template.HTML(image) //nolint:gosec // drawn here, its texts escaped
			}
			r.Notes = append(r.Notes, entry)
		}
	}
	return nil
}

// commands are how the session is repeated: by one command where nothing but the optimizer chose, and always by its file.
func commands(st sessions.State) []string {
	c := st.Config
	verify := "bandscope replay --verify SESSION.jsonl"
	alone := st.Bounds == nil && len(st.Rejected)+len(st.Answers) == 0 && st.Branch == ""
	for _, it := range st.Iterations {
		alone = alone && it.By == c.Optimizer && len(it.Corrections) == 0
	}
	run := fmt.Sprintf("bandscope run -f %s -o %s --seed %d --budget %d -n %d", quoted(c.Problem), quoted(c.Optimizer), c.Seed, c.Budget, len(st.Iterations))
	if c.Noise > 0 {
		run += fmt.Sprintf(" --noise %g", c.Noise)
	}
	if c.Cost != "" {
		run += " --cost " + quoted(c.Cost)
	}
	if c.CostBudget > 0 {
		run += fmt.Sprintf(" --cost-budget %g", c.CostBudget)
	}
	for _, d := range st.Params.Decls() {
		v := st.Params.Value(d.Key)
		alone = alone && d.Format(v) == d.Format(c.Params[d.Key])
		if v != d.Default {
			run += " --set " + quoted(d.Key+"="+d.Format(v))
		}
	}
	if !alone {
		return []string{verify}
	}
	return []string{run, verify}
}

// quoted is a word as a shell takes it.
func quoted(s string) string {
	s = safe.Text(s)
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.,:/", r)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

var page = template.Must(template.New("report").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{{.Title}}</title><style>
body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1f2430}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2.5rem;border-bottom:1px solid #a3a9b5}
svg{max-width:100%;height:auto}table{border-collapse:collapse;font-size:.85rem}td,th{padding:.15rem .6rem;text-align:right;border-bottom:1px solid #e4e6eb}
td:nth-child(2),th:nth-child(2),td:last-child,th:last-child{text-align:left}.wide{overflow-x:auto}
pre{background:#f2f4f8;padding:.7rem;overflow-x:auto}.params td,.params th{text-align:left}
</style></head><body>
<h1>{{.Title}}</h1>
<p>{{range $i, $s := .Summary}}{{if $i}} · {{end}}{{$s}}{{end}}</p>
{{.Picture}}
{{if .Notes}}<h2>Notes</h2>{{range .Notes}}<h3>step {{.Step}}</h3>{{.Text}}{{.Picture}}{{end}}{{end}}
{{if .Branches}}<h2>Branches</h2><ul>{{range .Branches}}<li>{{.}}</li>{{end}}</ul>{{end}}
<h2>Observations</h2><div class="wide"><table><tr>{{range .Columns}}<th>{{.}}</th>{{end}}</tr>
{{range .Rows}}<tr>{{range .}}<td>{{.}}</td>{{end}}</tr>
{{end}}</table></div>{{if .Cut}}<p>… and {{.Cut}} more</p>{{end}}
<h2>Parameters</h2><table class="params">{{range .Params}}<tr><td><code>{{index . 0}}</code></td><td>{{index . 1}}</td><td>{{index . 2}}</td></tr>
{{end}}</table>
<h2>How to repeat it</h2><pre>{{range .Commands}}{{.}}
{{end}}</pre>
<p>Begun {{.Begun}}; bandscope {{.Version}}.</p>
</body></html>
`))
