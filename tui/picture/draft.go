package picture

import (
	"context"
	"fmt"
	"sync"

	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/tui/chart"
)

// draft is an incomplete picture, of which every stage is shown. The next points are found beside it, since their
// search takes much longer than the band of some methods, and much less long than that of others.
type draft[P any] struct {
	mu   sync.Mutex
	p    P
	show func(*P)
}

func newDraft[P any](p P, show func(*P)) *draft[P] { return &draft[P]{p: p, show: show} }

// latest is a copy of the draft.
func (d *draft[P]) latest() P {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.p
}

// update changes the draft and shows a copy of it.
func (d *draft[P]) update(change func(*P)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(&d.p)
	copied := d.p
	d.show(&copied)
}

// nextSearch is the search for the next points, beside a draft.
type nextSearch struct {
	stop  context.CancelFunc
	done  chan struct{}
	found NextPoints
	err   error
}

// findNext starts the search for the next points, which take puts into the draft.
func (d *draft[P]) findNext(ctx context.Context, s Source, st sessions.State, progress sessions.Progress,
	take func(*P, NextPoints)) *nextSearch {
	n := &nextSearch{done: make(chan struct{})}
	ctx, n.stop = context.WithCancel(ctx)
	go func() {
		defer close(n.done)
		if p := parallel.Catch(func() { n.found, _, n.err = NextPointsFor(ctx, s, st, progress) }); p != nil {
			n.err = fmt.Errorf("finding the next point: %v", p.Value)
		}
		if n.err == nil {
			d.update(func(p *P) { take(p, n.found) })
		}
	}()
	return n
}

// wait returns the next points.
func (n *nextSearch) wait() (NextPoints, error) {
	<-n.done
	return n.found, n.err
}

// earlierBand is the band of an earlier step, and earlierBandName its name.
func (d Drawing) earlierBand() chart.Layer {
	steps := d.Earlier.Steps()
	return chart.Band{X: steps.X, Lo: steps.Y(d.Earlier.Lower), Hi: steps.Y(d.Earlier.Upper), Color: d.Style.Band,
		Name: d.earlierBandName()}
}

func (d Drawing) earlierBandName() string {
	return fmt.Sprintf("%s of step %d", d.Earlier.Legend.Band, d.Earlier.Step)
}
