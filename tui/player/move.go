package player

import (
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/recorder"
	"bandscope/tui/widget"
)

// Replay plays the record from its beginning: so many places per second, 0 waits for a key.
func Replay(m Screen, speed float64) {
	p := m.player()
	p.record.GoTo(0)
	m.Refresh()
	p.Replays = true
	if speed <= 0 {
		p.Notify("a recorded session: press space for the next step, r to play it")
		return
	}
	p.Speed, p.Running = widget.NewSpeed(speed), true
}

// Reads reports whether a record is read, rather than a search or a training stepped.
func (p *Player) Reads() bool { return p.Replays || p.record.Lesson() != nil }

// Ahead reports whether there are places ahead on record.
func (p *Player) Ahead() bool { return p.Line.At < len(p.Line.Stops)-1 }

// place is the current place on the timeline.
func (p *Player) place() recorder.Stop {
	if p.Line.At < len(p.Line.Stops) {
		return p.Line.Stops[p.Line.At]
	}
	return recorder.Stop{}
}

// move goes to another place on the record.
func (p *Player) move(apply func()) Next {
	p.NotesPanel.Rewind()
	return Next{Stop: true, Move: apply, Picture: true}
}

// goTo goes to a place of the timeline, by its number from 0.
func (p *Player) goTo(stop int) Next { return p.move(func() { p.record.GoTo(stop) }) }

// goToStep goes to the last place of the record at a step, or before it.
func (p *Player) goToStep(n int) Next {
	place := 0
	for i, stop := range p.Line.Stops {
		if stop.Step <= n {
			place = i
		}
	}
	return p.goTo(place)
}

// Turn goes to the next place on record, while what runs goes on.
func (p *Player) Turn() Next {
	p.NotesPanel.Rewind()
	return Next{Move: func() { p.record.Forward() }, Picture: true}
}

// StepForward takes a step, or goes to the next place on record; past a question only when it was answered or skipped.
// While a step is running, or the picture of the current place is not complete, it queues another one.
func (p *Player) StepForward(upToDate bool) Next {
	p.Running = false
	if p.Jobs.Busy() && (p.Acting || !upToDate) {
		p.Queue()
		p.queueRest()
		return Next{}
	}
	if p.record.Lesson() != nil {
		if text := p.Reader.Pass(p.page); text != "" {
			p.Notify(text)
			return Next{}
		}
	}
	return p.run()
}

// run takes the first place of a step, and queues the others; on record it goes to the next one.
func (p *Player) run() Next {
	p.queueRest()
	return p.step()
}

func (p *Player) queueRest() {
	for range p.Places - 1 {
		if !p.Ahead() {
			p.Queue()
		}
	}
}

// step takes a step, or goes to the next place of a record that is read, where a run ends.
func (p *Player) step() Next {
	switch {
	case !p.Reads():
	case p.Running && p.record.Lesson() != nil && p.Reader.Asks(p.page):
		p.End(p.Reader.How(p.page) + "; press space to skip")
		return Next{}
	case p.Ahead():
		return p.Turn()
	case p.Running:
		p.Replays = false
		p.End("this is the end of the record; press space to continue")
		return Next{}
	}
	return Next{Advance: true}
}

// End ends a run, and says why.
func (p *Player) End(why string) {
	p.Halt()
	p.Jobs.Finish()
	p.Notify(why)
}

// runTick takes the time of the next step of a run.
func (p *Player) runTick(msg widget.RunMsg) Next {
	if p.Pace.IsCurrent(msg) {
		return p.run()
	}
	return Next{}
}

// Next takes a step that waited for a picture, or, if the picture is complete, the next one of a run without pauses;
// taken is false if there is none. A run pauses at notes.
func (p *Player) Next(complete bool) (next Next, taken bool) {
	if p.Running && !p.passNotes && p.Ahead() && p.place().Note != "" {
		p.Running = false
		p.Notify("paused at a note; r continues, ' plays without these pauses")
	}
	if p.Pace.Next() || p.Running && p.Speed == widget.MaxSpeed && complete {
		return p.step(), true
	}
	return Next{}, false
}

// Wait brings the time of the next step of a run; nil where nothing runs.
func (p *Player) Wait() tea.Cmd { return p.After(p.Speed.Pause()) }

func (p *Player) toggle() Next {
	if !p.Toggle() {
		p.Notify("paused")
		return Next{}
	}
	p.Notify("running, " + p.Speed.String() + "; press r to pause")
	if p.Jobs.Busy() {
		return Next{} // it steps when the picture has come
	}
	return p.run()
}

func (p *Player) faster(delta int) Next {
	p.Speed = p.Speed.By(delta)
	p.Notify("speed: " + p.Speed.String())
	return Next{}
}

func (p *Player) atStart() string {
	if p.Line.At > 0 || p.Jobs.Busy() {
		return ""
	}
	return "this is the start"
}

// atEnd is why there is no place ahead; noRun is why the session cannot run.
func (p *Player) atEnd(noRun string) string {
	switch {
	case p.Ahead() || p.Jobs.Busy():
		return ""
	case noRun != "":
		return "this is the end: " + noRun
	}
	return "this is the end; press space to continue"
}

// nextNote goes to the next or the previous place with a note or a mark.
func (p *Player) nextNote(delta int) Next {
	for i := p.Line.At + delta; i >= 0 && i < len(p.Line.Stops); i += delta {
		if p.Line.Stops[i].Note != "" || p.Line.Stops[i].Mark {
			return p.goTo(i)
		}
	}
	p.Notify(map[bool]string{true: "there is no earlier note", false: "there is no later note"}[delta < 0])
	return Next{}
}

// Bar is the timeline in a panel of w cells.
func (p *Player) Bar(w int) Bar {
	pages := p.record.Lesson() != nil
	return Bar{Timeline: p.Line, Style: p.Style, Read: p.Reads(), Pages: pages, Playing: p.Running, W: w}
}

// Click goes to the place of the timeline in a box of a name that is under the mouse, which clicks it or is drawn over
// it; false where it is on none.
func (p *Player) Click(hit widget.Hit, name string, bar Bar) (Next, bool) {
	_, column, _, ok := hit.On(name)
	if !ok || !bar.HasContent() {
		return Next{}, false
	}
	i, ok := bar.Stop(column)
	if !ok {
		return Next{}, false
	}
	if i == p.Line.At {
		return Next{}, true
	}
	return p.goTo(i), true
}
