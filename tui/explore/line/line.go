// Package line is the explorer's picture of the belief along one variable: the belief above and the acquisition below, on the same x axis, and under
// them the cost where evaluations have one. What is computed and the charts are tui/belief's; here is where they stand in the panel, and what they tell.
package line

import (
	"context"
	"math"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/belief"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/picture"
	"bandscope/tui/layout"
	"bandscope/tui/plot"
)

// Picture is the belief along the variable of the scene's view.
type Picture struct {
	image Image
	cache picture.Cache
}

// Image is what is drawn.
type Image struct {
	*belief.Picture // nil while there is none
	Truth           belief.Truth
}

var _ picture.Picture = (*Picture)(nil)

// New makes the picture of a session that stands in a state; what needs no fit is there at once.
func New(st sessions.State) *Picture {
	return &Picture{image: Image{Truth: belief.TruthAlong(st, 0, belief.Anchor(st))}}
}

// Image is what is drawn last.
func (p *Picture) Image() Image { return p.image }

// Look looks along the variable. Of a problem with one variable the truth is the same everywhere.
func (p *Picture) Look(s picture.Scene) picture.Looking {
	view, truth := s.View, p.image.Truth
	return func(ctx context.Context, at sessions.Snapshot, progress sessions.Progress, show func(picture.Image)) (picture.Image, error) {
		if st := at.State(); st.Problem.Dim() > 1 {
			truth = belief.TruthAlong(st, view.Variable, belief.Anchor(st))
		}
		quick, rest, err := belief.Look(ctx, at, view, progress)
		if err != nil || rest == nil {
			return Image{quick, truth}, err
		}
		show(Image{quick, truth})
		whole := <-rest
		return Image{whole.Picture, truth}, whole.Err
	}
}

// Follow has nothing that moves with the cursor.
func (p *Picture) Follow(picture.Scene) (string, picture.Looking) { return "", nil }

// Take takes an Image.
func (p *Picture) Take(_ picture.Scene, i picture.Image) *picture.Told {
	p.image = i.(Image)
	b := p.image.Picture
	return &picture.Told{Head: b.Head, Legend: b.Legend, Theory: b.Theory, Aim: b.Aim, Partial: b.Partial, Enough: true}
}

// Turn shows another variable, which the view has.
func (p *Picture) Turn(picture.Scene, int) bool { return true }

// Hints are the keys that are needed most.
func (p *Picture) Hints() string { return "space b r e s t x c o w ? I q i g G" }

// Warn has nothing to say besides.
func (p *Picture) Warn(picture.Scene) string { return "" }

// places is where the parts of the panel are, in rows.
type places struct {
	legend *layout.Box
	belief int
	acq    int // 0 where there is none
	cost   int // below it, 0 where there is none
	limits int // below that: how probable it is that they are met, 0 where there are none
}

func (p *Picture) layout(s picture.Scene) places {
	l := places{legend: p.legend(s)}
	inner := s.H - 2 - l.legend.H
	l.belief = inner
	if !hasAcquisition(s) {
		return l
	}
	l.acq = min(max(inner/4, 4), 12)
	if s.Lesson && inner < 20 {
		l.acq = 3 // a lesson is about the belief
	}
	l.belief -= l.acq + 1
	if s.State.Problem.Cost != nil {
		l.cost = 4
		l.belief -= l.cost + 1
	}
	if b := p.shown(s); b != nil && len(b.Feasible) > 0 && inner >= 16 {
		l.limits = min(max(inner/6, 3), 6)
		l.belief -= l.limits + 1
	}
	return l
}

// hasAcquisition reports whether there is an acquisition to draw, or may be.
func hasAcquisition(s picture.Scene) bool {
	return !s.Bare && (s.Told == nil || s.Told.Legend.Acquisition != "")
}

func (p *Picture) key(s picture.Scene, own ...any) string { return s.Key(p.shown(s), own...) }

func (p *Picture) legend(s picture.Scene) *layout.Box {
	return p.cache.Box("legend", p.key(s), func() *layout.Box { return s.Legend(p.Chart(s).Layers) })
}

// Chart declares the plot of the belief.
func (p *Picture) Chart(s picture.Scene) plot.Chart {
	c := p.Drawing(s).Chart()
	c.Layers = append(c.Layers, s.Strangers(func(r diagnostics.Outlier) (x, y float64, shown bool) {
		return r.X[s.View.Variable], r.Y[0], r.Objective == 0
	}, false)...)
	c.Layers = append(c.Layers, s.Marks...)
	return c
}

// Rows is how many rows the plot of the belief has in a scene.
func (p *Picture) Rows(s picture.Scene) int { return p.layout(s).belief }

// shown is the picture to draw: none while a new one has been in the making for so long that the old one would mislead.
func (p *Picture) shown(s picture.Scene) *belief.Picture {
	if b := p.image.Picture; b != nil && (b.Head == s.State.Head || !s.Late) {
		return b
	}
	return nil
}

// Drawing declares what the plots show.
func (p *Picture) Drawing(s picture.Scene) belief.Drawing {
	d := belief.Drawing{Style: s.Style, State: s.State, Picture: p.shown(s), Truth: p.image.Truth, Variable: s.View.Variable, Reveal: s.Reveal,
		Above: hasAcquisition(s), Cursor: s.Overlay.Cursor, Steady: s.Steady}
	if (s.Asking || s.Bare) && d.Picture != nil {
		hidden := *d.Picture
		hidden.Next, hidden.Acquisition, hidden.Used, hidden.Legend.Used = nil, nil, nil, ""
		d.Picture, d.Reveal = &hidden, d.Reveal && !s.Asking
	}
	return d
}

// Axes has the variable.
func (p *Picture) Axes(s picture.Scene) []mode.Axis { return []mode.Axis{s.Axis()} }

// Tell tells the belief and, unless the next point is asked for, the acquisition.
func (p *Picture) Tell(s picture.Scene, at []float64) (told []mode.Reading) {
	b := p.image.Picture
	if b == nil {
		return nil
	}
	x := at[s.View.Variable]
	if mean := b.At(b.Mean, x); !math.IsNaN(mean) {
		g := s.State.Problem.Objectives[0].Gauge()
		told = append(told, mode.Reading{Name: "mean", Value: mean}, mode.Reading{Name: belief.DeviationName(g), Value: (g.Along(b.At(b.Upper, x)) - g.Along(mean)) / 2})
	}
	if a := b.At(b.Acquisition, x); !math.IsNaN(a) && !s.Asking && !s.Bare {
		told = append(told, mode.Reading{Name: "acquisition", Value: a})
	}
	return told
}
