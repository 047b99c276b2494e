package explore

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/library"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/modes"
	"bandscope/tui/explore/results"
	"bandscope/tui/explore/view"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// All long computations work the same way: a key starts a job. The job changes the session if requested, takes one
// snapshot of it, computes the picture of that snapshot, and sends the result back as one message. A job that takes more
// than a few milliseconds sends several: the snapshot first, so that an observation is shown before its fit is done,
// then incomplete pictures, then the complete one. The picture before stays until then.

// sessionState is the last snapshot of the session: state and timeline are of the same moment.
type sessionState struct {
	session  *sessions.Session
	snapshot func() sessions.Snapshot // takes a snapshot of the session
	at       sessions.Snapshot
	state    sessions.State
	live     []sessions.Iteration // points that are being evaluated during a step
	asked    map[string]time.Time // when each pending point was suggested, by the ID of its iteration
	now      func() time.Time

	stepReply string // to the last step
}

// setSnapshot takes a snapshot of the session.
func (s *sessionState) setSnapshot(snapshot sessions.Snapshot) {
	s.at, s.state = snapshot, snapshot.State()
	s.asked, s.live = nil, nil
	pending := results.Pending(s.state)
	if len(pending) == 0 {
		return
	}
	s.asked = map[string]time.Time{}
	for _, p := range pending {
		s.asked[p.Iteration.ID] = s.session.RecordedAt(p.Iteration.ID)
	}
}

// snapshotDelay is how long a job that changed the session waits for the complete picture before it sends the snapshot,
// and stageDelay how long it waits before it sends an incomplete picture, so that a fast method never flickers.
const (
	snapshotDelay = 4 * time.Millisecond
	stageDelay    = 40 * time.Millisecond
)

// stageMsg is a result of a job.
type stageMsg struct {
	at      *sessions.Snapshot // of the session; nil if it is unchanged
	acted   bool               // the act is done, or failed
	said    string
	actErr  error // of the act
	saveErr error // of saving its events to disk

	// traces of several objectives, which need no fit; nil if they are unchanged
	traces  *report.ObjectiveTraces
	image   view.Image        // nil while there is none
	err     error             // why there is none
	warning string            // about the data or the band, with the keys that help
	cure    *diagnostics.Cure // the change that the warning names; nil for none
	last    bool
	rest    *stages // the further results of the job
}

// stages are the successive results of computing a picture, until it is stopped.
type stages struct {
	traces  chan *report.ObjectiveTraces // of several objectives, before the picture
	part    chan view.Image              // the latest incomplete picture that was not taken
	whole   chan stageMsg
	stopped <-chan struct{}
	after   func(time.Duration) <-chan time.Time
}

// show replaces the incomplete picture that was not taken. One goroutine at a time calls it.
func (s *stages) show(next view.Image) {
	select {
	case <-s.part:
	default:
	}
	s.part <- next
}

// next waits for the next picture. A message with a snapshot comes without a picture if that takes too long.
func (s *stages) next(reported stageMsg) stageMsg {
	reported.rest = s
	delay := stageDelay
	if reported.at != nil {
		delay = snapshotDelay
	}
	var part <-chan view.Image
	var traces <-chan *report.ObjectiveTraces
	for late := s.after(delay); ; {
		select {
		case next := <-s.whole:
			reported.image = next.image
			reported.err = next.err
			reported.warning = next.warning
			reported.cure = next.cure
			reported.last = true
			s.takeTraces(&reported)
			return reported
		case reported.image = <-part:
			return reported
		case reported.traces = <-traces:
			return reported
		case <-late:
			if reported.at != nil {
				s.takeTraces(&reported)
				return reported
			}
			part, traces, late = s.part, s.traces, nil
		case <-s.stopped:
			reported.err, reported.last = context.Canceled, true
			return reported
		}
	}
}

// takeTraces adds the traces to a result if they are there.
func (s *stages) takeTraces(reported *stageMsg) {
	select {
	case reported.traces = <-s.traces:
	default:
	}
}

// UpdatePicture starts to compute a picture of the current step.
func (m *Model) UpdatePicture() tea.Cmd {
	m.Refresh()
	m.summaryJobs.Stop()
	m.Acting = false
	snapshot, look := m.at, m.picture().Compute(m.stage())
	return m.Jobs.Start("fitting "+m.state.Spec.Name,
		func(ctx context.Context, progress func(string, int, int)) tea.Msg {
			return compute(ctx, snapshot, look, progress).next(stageMsg{})
		})
}

// followPicture is UpdatePicture for what other programs recorded. It reports no progress, so that the status line stays
// as it is while results stream in.
func (m *Model) followPicture() tea.Cmd {
	m.Refresh()
	m.summaryJobs.Stop()
	m.Acting = false
	snapshot, look := m.at, m.picture().Compute(m.stage())
	return m.Jobs.Start("", func(ctx context.Context, _ func(string, int, int)) tea.Msg {
		return compute(ctx, snapshot, look, func(string, int, int) {}).next(stageMsg{})
	})
}

// actOf makes an act of a change.
func (m *Model) actOf(c mode.Change) player.Act {
	s := m.session
	do := func(ctx context.Context, progress sessions.Progress) (string, error) { return c.Do(ctx, s, progress) }
	return player.Act{Doing: c.Doing(), Records: true, Do: do}
}

// alter changes the session.
func (m *Model) alter(c mode.Change) tea.Cmd { return m.Apply(m.actOf(c)) }

// Apply changes the session off the update loop, saves the new events to disk even if the change failed in part, and
// computes the new picture. A change that returns a reply was done, even if it returns an error too.
func (m *Model) Apply(a player.Act) tea.Cmd {
	if cmd, asks := player.Guard(m, a); asks {
		return cmd
	}
	m.summaryJobs.Stop()
	m.Begin(a)
	s := m.session
	dir := m.Dir
	take := m.snapshot
	look := m.picture().Compute(m.stage())
	author := s.Author() // of this key press; somebody else may press the next one before the act is done
	return m.Jobs.Start(a.Doing, func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		_, before := s.Lines(math.MaxInt)
		var reply string
		var err error
		s.RecordAs(author, func() { reply, err = a.Do(ctx, progress) })
		did := stageMsg{acted: true, said: reply, actErr: err}
		if _, after := s.Lines(math.MaxInt); a.Records && (err == nil || after > before) {
			did.saveErr = library.Save(s, dir)
		}
		snapshot := take()
		did.at = &snapshot
		if err != nil && reply == "" {
			did.last = true
			return did
		}
		progress("fitting "+snapshot.State().Spec.Name, 0, 0)
		return compute(ctx, snapshot, look, progress).next(did)
	})
}

// compute starts to compute a picture; the incomplete pictures and the complete one are its stages.
func compute(ctx context.Context, snapshot sessions.Snapshot, look view.ComputeFunc, progress sessions.Progress) *stages {
	s := &stages{part: make(chan view.Image, 1), traces: make(chan *report.ObjectiveTraces, 1),
		whole: make(chan stageMsg, 1), stopped: ctx.Done(), after: time.After}
	go func() {
		var whole stageMsg
		if p := parallel.Catch(func() {
			if st := snapshot.State(); st.Problem != nil && len(st.Problem.Objectives) > 1 {
				t := report.ObjectiveTracesFor(st)
				s.traces <- &t
			}
			whole.image, whole.err = look(ctx, snapshot, progress, s.show)
			if whole.err == nil {
				whole.warning, whole.cure = dataWarning(ctx, snapshot)
			}
		}); p != nil {
			whole.err = fmt.Errorf("computing the picture: %v", p.Value)
		}
		s.whole <- whole
	}()
	return s
}

// dataWarning names the results that are too large for the model and the problems of its band, each with the key that
// helps, and the change that widens a band that is too narrow.
func dataWarning(ctx context.Context, snapshot sessions.Snapshot) (string, *diagnostics.Cure) {
	var all []string
	if clipped := diagnostics.ClippedValues(snapshot.State()); clipped != nil {
		text := sanitize.Text(clipped[0].Brief()) + ": press delete, " + clipped[0].Remedy()
		if others := len(clipped) - 1; others > 0 {
			text += fmt.Sprintf(" (and %d more)", others)
		}
		all = append(all, text)
	}
	alarm, cure := diagnostics.CoverageAlarm(ctx, snapshot)
	if cure != nil {
		alarm += fmt.Sprintf("; %s sets %s=%s", cureKey.Help().Key, cure.Key, cure.Value)
	}
	if alarm != "" {
		all = append(all, alarm+": u")
	}
	return strings.Join(all, "; "), cure
}

// cureKey is the key that applies the change that a warning names.
var cureKey = widget.Bind("!", "widen the band", "!")

// noCure is why no change widens the band.
func (m *Model) noCure() string {
	return widget.Why(m.cure == nil, "there is no warning about a band that is too narrow")
}

// applyCure makes the change that the warning names.
func (m *Model) applyCure() tea.Cmd {
	return m.alter(modes.SetParameter{Key: m.cure.Key, Text: m.cure.Value})
}

// done takes the result of a job.
func (m *Model) done(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case stageMsg:
		return m.stageDone(msg)
	case workedMsg:
		m.Jobs.Finish()
		return player.Perform(m, nil, msg.actions)
	case widget.PanicMsg:
		m.Panicked(msg)
	}
	return nil
}

// stageDone takes a result of a job, and continues with the next one or with a run that waits for it.
func (m *Model) stageDone(msg stageMsg) tea.Cmd {
	var actCmd tea.Cmd
	shown, steps := m.picture(), len(m.state.Iterations)
	if msg.at != nil {
		m.showSnapshot(*msg.at)
	}
	if msg.acted && len(m.state.Iterations) > steps {
		m.stepReply = msg.said
	}
	if msg.acted {
		actCmd = player.ActDone(m, msg.said, msg.actErr, msg.saveErr)
		if msg.actErr != nil && msg.said == "" {
			m.Jobs.Finish()
			return actCmd
		}
	}
	if shown != m.picture() { // the computed picture has other objectives
		return tea.Batch(actCmd, m.UpdatePicture())
	}
	if msg.err != nil {
		m.Abandon(msg.err)
		return actCmd
	}
	if msg.traces != nil {
		m.objectiveTraces = msg.traces
	}
	var imageCmd tea.Cmd
	if msg.image != nil {
		imageCmd = m.take(msg.image)
	}
	if msg.last {
		m.warning, m.cure = msg.warning, msg.cure
	}
	return tea.Batch(actCmd, imageCmd, m.continueRun(msg))
}

// continueRun takes the next step of a run that waited for the picture, or waits for the rest of the picture.
func (m *Model) continueRun(msg stageMsg) tea.Cmd {
	wait := m.Jobs.Continue(func() tea.Msg { return msg.rest.next(stageMsg{}) })
	if !msg.last && !m.upToDate() {
		return wait
	}
	if step, taken := m.Next(msg.last || m.report.Enough); taken {
		return player.Do(m, step)
	}
	if !msg.last {
		return wait
	}
	m.Jobs.Finish()
	if m.Follows() { // more may come soon
		return tea.Batch(m.Wait(), m.QuietTick(), m.measure())
	}
	return tea.Batch(m.Wait(), m.startSummary(), m.measure())
}
