package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/recorder"
	"bandscope/sessions/safe"
	"bandscope/sessions/shelf"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/picture"
	"bandscope/tui/explore/results"
	"bandscope/tui/screen"
)

// Whatever takes time goes one way: a key starts a job, which acts on the session if it is to, takes where that stands once, and computes the picture of
// it; what it found comes back as one message. Only what takes longer than patience comes in several: where the session stands first, so that an
// observation is seen while its fit goes on, then the picture as far as it is computed, then the whole.

// work is what is being computed.
type work struct {
	jobs   screen.Jobs
	acting bool // the job changes the session, rather than looks at it
	mend   bool // what was typed into the prompt is being done; if it fails, it is asked for again
}

// standing is where the session stands, as it was taken last: the state and the timeline are of one moment.
type standing struct {
	session  *sessions.Session
	snapshot func() sessions.Snapshot // takes where it stands
	at       sessions.Snapshot
	state    sessions.State
	line     recorder.Timeline
	live     []sessions.Iteration // what is being evaluated at the moment, while a step is under way
	asked    map[string]time.Time // when what waits for results was suggested, by the IDs of the iterations
	now      func() time.Time
	heard    int // notices of the session that were shown
}

// news is what is to be known of the session's file and was not shown yet.
func (s *standing) news() string {
	notices := s.session.Notices()
	text := strings.Join(notices[s.heard:], "; ")
	s.heard = len(notices)
	return text
}

// stand takes where the session stands.
func (s *standing) stand(at sessions.Snapshot) {
	s.at, s.state, s.line = at, at.State(), at.Timeline()
	s.asked, s.live = nil, nil
	if len(results.Waiting(s.state)) == 0 {
		return
	}
	s.asked = map[string]time.Time{}
	for _, a := range s.session.Asked() {
		s.asked[a.ID] = a.At
	}
}

// patience is how long a job that acted waits for a first picture before it tells where the session stands.
const patience = 120 * time.Millisecond

// stageMsg is what a job brings.
type stageMsg struct {
	at    *sessions.Snapshot // where the session stands; nil where that is known
	acted bool               // the act is done, or failed
	said  string
	wrong error // with the act

	image picture.Image // nil while there is none
	err   error         // why there is none
	alarm string        // what is wrong with the data or with its band, and the keys that help
	last  bool
	rest  *stages // what else comes of the job
}

// stages are what a look brings, one after the other, until it is stopped.
type stages struct {
	ready   chan stageMsg
	stopped <-chan struct{}
}

func (s *stages) add(next stageMsg) {
	select {
	case s.ready <- next:
	case <-s.stopped:
	}
}

// next waits for the next picture. What tells where the session stands comes without one if that takes long.
func (s *stages) next(told stageMsg) stageMsg {
	told.rest = s
	var late <-chan time.Time
	if told.at != nil {
		late = time.After(patience)
	}
	select {
	case next := <-s.ready:
		told.image, told.err, told.alarm, told.last = next.image, next.err, next.alarm, next.last
	case <-late:
	case <-s.stopped:
		told.err, told.last = context.Canceled, true
	}
	return told
}

// look starts a picture of where the session stands now.
func (m *Model) look() tea.Cmd {
	m.stand(m.snapshot())
	m.judging.Stop()
	m.acting = false
	at, look := m.at, m.picture().Look(m.stage())
	return m.jobs.Start("fitting "+m.state.Spec.Name, func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		return compute(ctx, at, look, progress).next(stageMsg{})
	})
}

// alter changes the session off the update loop, keeps on disk what that records, also where the change failed in part, and looks at what came of it. A change
// that said something was done, even where something about it went wrong.
func (m *Model) alter(c mode.Change) tea.Cmd {
	m.judging.Stop()
	m.acting, m.mend = true, false
	s, dir, snapshot, look := m.session, m.dir, m.snapshot, m.picture().Look(m.stage())
	return m.jobs.Start(c.Doing(), func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		_, before := s.Lines(math.MaxInt)
		said, err := c.Do(ctx, s, progress)
		_, after := s.Lines(math.MaxInt)
		if _, unrecorded := c.(mode.Unrecorded); !unrecorded && (err == nil || after > before) {
			err = errors.Join(err, shelf.Keep(s, dir))
		}
		at := snapshot()
		did := stageMsg{at: &at, acted: true, said: said, wrong: err}
		if err != nil && said == "" {
			did.last = true
			return did
		}
		progress("fitting "+at.State().Spec.Name, 0, 0)
		return compute(ctx, at, look, progress).next(did)
	})
}

// alterTyped is alter for what was typed into the prompt: if it fails, the text stays to be mended.
func (m *Model) alterTyped(c mode.Change) tea.Cmd {
	cmd := m.alter(c)
	m.mend = true
	return cmd
}

// compute starts to look; what is shown, and the whole, are its stages.
func compute(ctx context.Context, at sessions.Snapshot, look picture.Looking, progress sessions.Progress) *stages {
	s := &stages{ready: make(chan stageMsg, 1), stopped: ctx.Done()}
	go func() {
		whole := stageMsg{last: true}
		if p := parallel.Catch(func() {
			if whole.image, whole.err = look(ctx, at, progress, func(i picture.Image) { s.add(stageMsg{image: i}) }); whole.err == nil {
				whole.alarm = alarms(ctx, at)
			}
		}); p != nil {
			whole.err = fmt.Errorf("drawing the belief: %v", p.Value)
		}
		s.add(whole)
	}()
	return s
}

// alarms say which results are too large for the model, and what is wrong with its band, each with the key that helps.
func alarms(ctx context.Context, at sessions.Snapshot) string {
	var all []string
	if clipped := diagnostics.ClippedValues(at.State()); clipped != nil {
		text := safe.Text(clipped[0].Brief()) + ": K, " + clipped[0].Drop()
		if more := len(clipped) - 1; more > 0 {
			text += fmt.Sprintf(" (and %d more)", more)
		}
		all = append(all, text)
	}
	if alarm := diagnostics.CoverageAlarm(ctx, at); alarm != "" {
		all = append(all, alarm+": U")
	}
	return strings.Join(all, "; ")
}

// done takes the result of a job.
func (m *Model) done(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case stageMsg:
		return m.tookStage(msg)
	case workedMsg:
		m.jobs.Finish()
		return m.do(msg.actions)
	case screen.PanicMsg:
		m.jobs.Finish()
		m.Halt()
		m.Say("internal error: "+msg.Reason+"; the session is safe", true)
	}
	return nil
}

// tookStage takes what a job brings, and goes on with it, or with what waited for it.
func (m *Model) tookStage(msg stageMsg) tea.Cmd {
	var told tea.Cmd
	shown := m.picture()
	if msg.at != nil {
		m.stand(*msg.at)
	}
	if msg.acted {
		m.acting = false
		cmd, failed := m.acted(msg)
		if news := m.news(); news != "" {
			m.Halt()
			m.Say(news, true)
		}
		if failed {
			return cmd
		}
		told = cmd
	}
	if shown != m.picture() { // what was computed is of other objectives
		return tea.Batch(told, m.look())
	}
	if msg.err != nil {
		m.halt(msg.err)
		return told
	}
	var more tea.Cmd
	if msg.image != nil {
		more = m.take(msg.image)
	}
	if msg.last {
		m.alarm = msg.alarm
	}
	return tea.Batch(told, more, m.goOn(msg))
}

// acted takes what an act said, and tells the mode that has the keys; failed says that it was not done.
func (m *Model) acted(msg stageMsg) (cmd tea.Cmd, failed bool) {
	failed = msg.wrong != nil && msg.said == ""
	mend := m.mend && m.stepping() && !m.Status.Open()
	m.mend = false
	switch {
	case failed && mend && !errors.Is(msg.wrong, context.Canceled):
		cmd = m.Status.Again(msg.wrong.Error())
		m.halt(context.Canceled)
	case failed:
		cmd = m.tell(mode.Changed{Err: msg.wrong})
		m.halt(msg.wrong)
	default:
		cmd = m.tell(mode.Changed{})
		if msg.said != "" {
			m.say(msg.said)
		}
		if msg.wrong != nil {
			m.Halt()
			m.fail(msg.wrong)
		}
	}
	return cmd, failed
}

// halt ends a job that failed, and what waited for it.
func (m *Model) halt(err error) {
	m.jobs.Finish()
	m.Halt()
	if !errors.Is(err, context.Canceled) {
		m.fail(err)
	}
}

// goOn goes on with what waited for a picture, or waits for the rest of it.
func (m *Model) goOn(msg stageMsg) tea.Cmd {
	wait := m.jobs.Continue(func() tea.Msg { return msg.rest.next(stageMsg{}) })
	if !msg.last && (m.told == nil || m.told.Head != m.state.Head) {
		return wait
	}
	if m.Running && m.reading() && m.pause && m.place().Note != "" && m.ahead() {
		m.Running = false
		m.say("paused at a note; r goes on, ' plays past notes")
	}
	switch {
	case m.Next(), m.fastest() && (msg.last || m.told.Enough):
		return m.step()
	case !msg.last:
		return wait
	}
	m.jobs.Finish()
	return tea.Batch(m.wait(), m.judge(), m.measure())
}
