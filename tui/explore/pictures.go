package explore

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
	"bandscope/tui/chart"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/summary"
	"bandscope/tui/explore/view"
	"bandscope/tui/explore/views"
	"bandscope/tui/layout"
	"bandscope/tui/lessonpage"
	"bandscope/tui/picture"
	"bandscope/tui/picture/front"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// pictureState is the state of the views.
type pictureState struct {
	pictures     []view.Picture    // of the problem, in the order of the view key
	pictureIndex int               // of the picture that is shown
	report       *view.Report      // of the latest picture; nil before the first one
	warning      string            // about the data or the band; empty for none
	cure         *diagnostics.Cure // the change that the warning names; nil for none
	followJobs   widget.Jobs       // computes the slices through the cursor
	view         picture.View
	zoom         picture.Zoom // of the vertical axis along a variable
	reveal       bool         // the true function is shown
	hideBefore   bool         // the band of the step before is not shown
	traces       summary.Traces
	// of the objectives, which are computed before the picture; nil before that
	objectiveTraces *report.ObjectiveTraces
	modelSummary    summary.Summary // replaces the traces if the truth is not shown
	showTraces      bool            // the traces are shown although the truth is not
	summaryJobs     widget.Jobs     // computes the outlook
	termsCache      view.Cache      // the terms of the text
}

// newPictureState makes the pictures of a problem, none of them computed.
func newPictureState(st sessions.State) pictureState {
	l := pictureState{view: picture.View{Samples: 8}}
	if len(st.Problem.Objectives) > 1 {
		l.pictures = append(l.pictures, views.NewFront())
	}
	if st.Problem.Dim() > 1 {
		l.pictures = append(l.pictures, views.NewPlane(st))
	}
	l.pictures = append(l.pictures, views.NewLine(st))
	return l
}

// Refresh takes a snapshot of the session.
func (m *Model) Refresh() { m.showSnapshot(m.snapshot()) }

// showSnapshot shows a snapshot of the session. If the objectives or the domain changed, it replaces the pictures and
// drops the modes that computed something from them.
func (m *Model) showSnapshot(snapshot sessions.Snapshot) {
	before := m.state.Problem
	m.sessionState.setSnapshot(snapshot)
	m.Player.SetPage(lessonpage.Page{Note: m.state.LastNote(), Line: snapshot.Timeline(), State: m.state}, m.state.Saved)
	defer m.showLessonView()
	if before == nil || before == m.state.Problem ||
		slices.EqualFunc(before.Objectives, m.state.Problem.Objectives, sameObjective) &&
			slices.EqualFunc(before.Domain, m.state.Problem.Domain, sameExtent) {
		return
	}
	m.followJobs.Stop()
	view, reveal := m.view, m.reveal
	m.pictureState = newPictureState(m.state)
	if d := m.state.Problem.Dim(); view.X < d && view.Y < d {
		m.view = view
	}
	m.reveal = reveal
	m.view.Theory = false
	m.Modes.Forget(func(begun mode.Mode) bool {
		w, works := begun.(mode.Stopper)
		if works {
			w.Stop()
		}
		return works
	})
}

// sameObjective reports whether values of two objectives mean the same.
func sameObjective(a, b functions.Objective) bool {
	return a.Name == b.Name && a.Unit == b.Unit && a.Direction == b.Direction
}

// sameExtent reports whether a variable takes values in the same interval, or the same number of choices.
func sameExtent(a, b functions.Variable) bool {
	return a.Name == b.Name && a.Low == b.Low && a.High == b.High
}

// picture is the picture that is shown.
func (l *pictureState) picture() view.Picture { return l.pictures[l.pictureIndex] }

// outcomes is the picture of the objective space, nil for one objective; plane is the picture over two variables, nil
// for one variable; along is the picture along one variable, which every problem has.
func (l *pictureState) outcomes() *views.Front { return kind[*views.Front](l) }
func (l *pictureState) plane() *views.Plane    { return kind[*views.Plane](l) }
func (l *pictureState) along() *views.Line     { return kind[*views.Line](l) }

// kind is the picture of a type, nil if the problem has none.
func kind[P view.Picture](l *pictureState) (none P) {
	for _, p := range l.pictures {
		if p, ok := p.(P); ok {
			return p
		}
	}
	return none
}

// frontShown reports whether the objective space is shown, planeShown whether the fields over two variables are.
func (l *pictureState) frontShown() bool { return l.picture() == view.Picture(l.outcomes()) }
func (l *pictureState) planeShown() bool { return l.picture() == view.Picture(l.plane()) }

// frontOutcomes is the computed objective space, nil before that.
func (l *pictureState) frontOutcomes() *front.Outcomes {
	if p := l.outcomes(); p != nil {
		return p.Outcomes()
	}
	return nil
}

// shownTraces are the traces of the objectives: those of the picture if it is of the current step, otherwise those that
// were computed before it.
func (m *Model) shownTraces() *report.ObjectiveTraces {
	o := m.frontOutcomes()
	if early := m.objectiveTraces; early != nil && (o == nil || o.Head != m.state.Head) &&
		len(early.Hypervolume) == len(m.state.Iterations) {
		return early
	}
	if o == nil {
		return nil
	}
	return &o.Traces
}

// stage is the scene of the picture.
func (m *Model) stage() view.Scene {
	l := m.layout()
	s := view.Scene{State: m.state, Style: m.Style, W: l.main, H: l.height - l.below, View: m.view, Zoom: m.zoom,
		Reveal: m.reveal && !m.asking(), BandBefore: !m.hideBefore && !m.asking(), Lesson: m.hasText(),
		RangeMode: lessonpage.RangeModeFor(m.session.Lesson(), m.state.Problem), Axes: m.session.Lesson().SharedAxes(),
		Asking: m.asking(), Quiz: m.session.Lesson() != nil && m.Reader.Choosing(m.Page()),
		Bare: m.session.Task().Hides("acquisition") || m.session.Lesson().Hides("weights") ||
			m.session.Lesson().Hides("acquisition") && !m.showNext && l.text > 0,
		Late: m.Jobs.Late() || !m.Jobs.Busy() && !m.followJobs.Busy(), Report: m.report, Marks: m.marks(), Overlay: m.overlay(), Outliers: m.outliers()}
	if low := m.lower(); low != nil {
		around := m.sceneWithoutPicture()
		s.Below = &view.Below{Titles: low.BelowTitles(around), Box: func(w, h int) *layout.Box {
			return low.Below(around, w, h)
		}}
	}
	return s
}

// marks are the reader's point on the picture, if a lesson asked for one.
func (m *Model) marks() []chart.Layer {
	if m.planeShown() {
		x, y := m.plane().Variables()
		return m.Reader.Point.MarksOver(m.Page(), x, y)
	}
	return m.Reader.Point.Marks(m.Page(), m.view.X, m.Style)
}

// take shows an image, informs the mode, and computes the slices through the cursor.
func (m *Model) take(i view.Image) tea.Cmd {
	report := m.picture().SetImage(m.stage(), i)
	if report == nil {
		return m.followCursor()
	}
	m.report = report
	return tea.Batch(player.Send(m, mode.PictureChanged{}), m.followCursor())
}

// followCursor computes the parts of the picture that depend on the cursor, in a job of its own.
func (m *Model) followCursor() tea.Cmd {
	doing, look := m.picture().Follow(m.stage())
	if look == nil {
		return nil
	}
	snapshot := m.at
	return m.followJobs.Start(doing, func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		i, err := look(ctx, snapshot, progress, func(view.Image) {})
		return stageMsg{image: i, err: err}
	})
}

// followDone takes the parts of the picture that depend on the cursor.
func (m *Model) followDone(msg tea.Msg) tea.Cmd {
	m.followJobs.Finish()
	if s, ok := msg.(stageMsg); ok && s.err == nil {
		m.picture().SetImage(m.stage(), s.image)
	}
	return nil
}

// cycleView shows the next picture.
func (m *Model) cycleView() tea.Cmd {
	m.pictureIndex = (m.pictureIndex + 1) % len(m.pictures)
	m.followJobs.Stop()
	return m.UpdatePicture()
}

// planeKeys are the keys of the fields, disabled in other views.
func planeKeys() (all []command) {
	for _, c := range views.Commands() {
		all = append(all, command{Binding: c.Binding, About: c.About,
			DisabledReason: func(m *Model) string {
				if why := m.noFields(); why != "" || c.DisabledReason == nil {
					return why
				}
				return c.DisabledReason(m.planeTurn())
			},
			Do: func(m *Model, msg tea.KeyPressMsg) tea.Cmd {
				t := m.planeTurn()
				return m.endTurn(t, c.Do(t, msg))
			}})
	}
	return all
}

// planeTurn is a call of a key of the fields.
func (m *Model) planeTurn() views.Turn {
	return views.Turn{Plane: m.plane(), Turn: &view.Turn{Scene: m.stage()}}
}

// endTurn does what a key of the fields asks for.
func (m *Model) endTurn(t views.Turn, cmd tea.Cmd) tea.Cmd {
	if t.Said != "" {
		m.Notify(t.Said)
	}
	if t.Again {
		return tea.Batch(cmd, m.UpdatePicture())
	}
	return cmd
}

// planeCommands are the keys of the fields and the key of the view.
func planeCommands() []command {
	keys := planeKeys()
	return append([]command{keys[0], unless((*Model).oneView, viewKey, (*Model).cycleView)}, append(keys[1:],
		widget.NewChange(widget.Named("all variables"), (*Model).noCoordinates,
			func(m *Model) { m.traces.Coordinates = !m.traces.Coordinates }).
			Long("plot all variables, or all outcomes, of every result as parallel coordinates"))...)
}

// viewKey shows the next picture.
var viewKey = widget.Bind("d", "view: outcomes, fields, slice", "d")

func (m *Model) oneView() string {
	return widget.Why(len(m.pictures) == 1, "this problem has one variable and one view")
}

func (m *Model) oneObjective() string {
	return widget.Why(!m.several(), "this problem has one objective; a search over several can be steered")
}

func (m *Model) noFields() string {
	switch {
	case m.state.Problem.Dim() == 1:
		return "this problem has one variable; fields need two"
	case !m.planeShown():
		return "the fields are not shown; press d to show them"
	}
	return ""
}

func (m *Model) noCoordinates() string {
	switch {
	case m.frontShown() && len(m.state.Problem.Objectives) < 3:
		return "the plot already shows both objectives"
	case !m.frontShown() && m.state.Problem.Dim() == 1:
		return "this problem has one variable"
	case m.view.Theory:
		return "the panel shows the theory; press ctrl+t to close it"
	}
	return ""
}

// several reports whether the problem has more than one objective.
func (m *Model) several() bool { return len(m.state.Problem.Objectives) > 1 }
