package studyreport

import (
	"context"
	"fmt"
	"html/template"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/sessions/study/stats"
	"bandscope/tui/chart"
	"bandscope/tui/chart/svg"
	"bandscope/tui/theme"
)

// The sizes of pictures, in pixels, and at how many places curves are drawn.
const (
	wide, high = 560, 330
	places     = 120
	parts      = 50
	tolerance  = 0.01 // the part of the way from the start to the best to which a profile counts a block as solved
)

// darkStyles turn the colours of pictures, which are drawn for a light page, into those of a dark one.
func darkStyles() template.CSS {
	light, dark := theme.New(false, theme.TrueColor, false), theme.New(true, theme.TrueColor, false)
	var b strings.Builder
	turn := func(lightRGB, darkRGB string) {
		fmt.Fprintf(&b, `svg [fill="%s"]{fill:%s}svg [stroke="%s"]{stroke:%s}`, lightRGB, darkRGB, lightRGB, darkRGB)
	}
	turn("#ffffff", "#0f1117")
	for _, c := range [][2]theme.Color{{light.Text, dark.Text}, {light.Dim, dark.Dim}, {light.Border, dark.Border}} {
		turn(c[0].RGB, c[1].RGB)
	}
	for i := range light.Series {
		turn(light.Series[i].RGB, dark.Series[i].RGB)
		turn(light.SeriesBand[i].RGB, dark.SeriesBand[i].RGB)
	}
	return template.CSS(b.String()) //nolint:gosec // of the theme's own colours
}

// legendSample is a piece of a method's line.
func (p *writer) legendSample(method int) template.HTML {
	v := svg.New(30, 10, p.style.Style)
	v.Label = "line in the charts"
	v.Legend([]chart.Layer{chart.Curve{X: []float64{0, 1}, Y: []float64{0, 0}, Color: p.style.Color(method),
		Line: p.style.Line(method), Name: " "}}, 2, 9, 30)
	return template.HTML(v.String()) //nolint:gosec // drawn here
}

// picture draws a chart with a legend of everything except methods, which the head of the page explains.
func (p *writer) picture(c chart.Chart, name, label string, rest ...chart.Layer) template.HTML {
	v := svg.New(wide, high, p.style.Style)
	v.Label = label
	v.Name = strings.ReplaceAll(name, " ", "-") + "-"
	bottom := 0.0
	if len(rest) > 0 {
		v.Legend(rest, 60, high-6, wide-70)
		bottom = 18
	}
	v.Chart(c, 0, 4, wide-12, high-4-bottom, "chart") // the last label reaches beyond the axis
	return template.HTML(v.String())                  //nolint:gosec // drawn here, its texts escaped
}

// curves draws the curves of every problem.
func (p *writer) curves(ctx context.Context) error {
	shows, rests := About(Curves)
	p.CurvesNote = shows + " " + rests
	p.CurvesCut = max(len(p.runs.Problems)-maxPictures, 0)
	for i, problem := range p.runs.Problems[:len(p.runs.Problems)-p.CurvesCut] {
		if err := ctx.Err(); err != nil {
			return err
		}
		bands := make([]stats.Band, len(p.runs.Methods))
		done := 0
		for k := range bands {
			bands[k] = p.runs.Band(i, k, places)
			for _, c := range p.runs.Curves(i, k) {
				if c.Status == study.Done {
					done++
				}
			}
		}
		c, ok := p.style.Curves(problem, bands, false, p.style.Prints(p.table.Declaration.Published, problem), true)
		f := figure{Title: sanitize.Text(problem.Name),
			Caption: []string{fmt.Sprintf("%s over %s; d = %d, %s done", problem.Quantity, Across(problem.Axis),
				problem.Dim, numfmt.Count(done, "run"))}}
		if ok {
			var marks []chart.Layer
			for _, l := range c.Layers {
				if points, ok := l.(chart.Points); ok {
					marks = append(marks, points)
				}
			}
			c.Y.Label = "" // the runs begin where it would be
			f.Picture = p.picture(c, fmt.Sprintf("curves-%d", i), f.Title+": "+f.Caption[0], marks...)
		} else {
			f.Caption = []string{"No run has a value yet."}
		}
		p.Curves = append(p.Curves, f)
	}
	return nil
}

// together draws the comparisons of the methods over all problems.
func (p *writer) together(ctx context.Context) error {
	if len(p.runs.Methods) < 2 {
		return nil
	}
	add := func(title string, view View, c chart.Chart, ok bool, notes ...string) {
		f := figure{Title: title}
		shows, rests := About(view)
		f.Caption = append([]string{shows, rests}, notes...)
		if ok {
			f.Picture = p.picture(c, strings.ToLower(title), title+": "+shows)
		} else {
			f.Caption = []string{p.nothing()}
		}
		p.Together = append(p.Together, f)
	}
	solved := fmt.Sprintf("Solved: %g %% of the gap between the start and the best value is closed.", 100*(1-tolerance))
	for _, draw := range []func(){
		func() {
			c, ok := p.style.Staircases(p.runs.ECDF(stats.All), "evaluations / dimension", "share of targets")
			add("Targets reached", Reached, c, ok)
		},
		func() {
			c, ok := p.style.Ranks(p.runs.Rankings(stats.All, parts))
			add("Ranks", Ranked, c, ok)
		},
		func() {
			c, ok := p.style.Staircases(p.runs.PerformanceProfiles(stats.All, tolerance),
				"performance ratio", "share of blocks")
			add("Performance profiles", Performance, c, ok, solved)
		},
		func() {
			c, ok := p.style.Staircases(p.runs.DataProfiles(stats.All, tolerance), "evaluations / (dimension + 1)",
				"share of blocks")
			add("Data profiles", Data, c, ok, solved)
		},
		func() {
			t := p.runs.Friedman(stats.All, 1)
			c, ok := p.style.Critical(t)
			add("Critical differences", Differences, c, ok, t.Describe())
		},
	} {
		if err := ctx.Err(); err != nil {
			return err
		}
		draw()
	}
	return nil
}
