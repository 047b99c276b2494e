package serve

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/classroom"
	"bandscope/tui"
	"bandscope/tui/class"
	"bandscope/tui/placement"
	"bandscope/tui/theme"
)

// Room is where people follow the screen of a teacher. The window of the teacher draws itself in the size and the colors
// of each terminal that follows; terminals with the same ones share a frame. It is safe for concurrent use.
type Room struct {
	Name string

	mu       sync.Mutex
	teacher  *seat  // who shows the screen; nil while nobody does
	keyboard string // the name of the person who presses the teacher's keys too, in all of their windows; empty for nobody
	screens  map[screen]*shown
	places   []*place          // in the order in which they came
	session  *sessions.Session // in the teacher's window; nil while nobody teaches
	about    *class.Belief     // what the question is about; nil while it is not known

	class *classroom.Class // its record
}

// place is a terminal that follows.
type place struct {
	*seat
	of screen
	at *shown
}

// screen is what distinguishes the frames of the terminals that follow.
type screen struct {
	width, height int
	dark          bool
	tier          theme.Tier
	pictures      bool // plots are pictures
}

// shown is the frame of some terminals.
type shown struct {
	viewer *tui.Viewer // of the update loop of the teacher's window
	frame  frame
	drawn  bool // there is a frame
}

// frame is a drawn window: its text, and the plots that are pictures behind it.
type frame struct {
	text  string
	plots []placement.Plot
}

// equal reports whether two frames look the same.
func (f frame) equal(g frame) bool { return f.text == g.text && reflect.DeepEqual(f.plots, g.plots) }

// maxScreens bounds how many frames are drawn of one change. Terminals of further sizes are shown the largest smaller
// one.
const maxScreens = 12

func newRoom(name string, record *classroom.Class) *Room {
	r := &Room{Name: name, screens: map[screen]*shown{}, class: record}
	record.Subscribe(func(classroom.State) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.tell()
	})
	return r
}

// enter has a seat follow, in its size and colors, or changes them.
func (r *Room) enter(s *seat, window screen) {
	r.mu.Lock()
	i := slices.IndexFunc(r.places, func(p *place) bool { return p.seat == s })
	if i < 0 {
		i = len(r.places)
		r.places = append(r.places, &place{seat: s})
	}
	p := r.places[i]
	p.of = window
	r.drop()
	p.at = r.screens[window]
	if p.at == nil && len(r.screens) < maxScreens {
		p.at = &shown{viewer: &tui.Viewer{Width: window.width, Height: window.height, Dark: window.dark,
			Tier: window.tier, Pictures: window.pictures}}
		r.screens[window] = p.at
	} else if p.at == nil {
		p.at = r.nearest(window)
	}
	teacher := r.teacher
	if p.at.drawn {
		s.latest.put(p.at.frame)
	}
	r.tell()
	r.mu.Unlock()
	if teacher != nil {
		go teacher.send(publishMsg{})
	}
}

// nearest is the largest screen that fits into another one, or any; r.mu is held.
func (r *Room) nearest(owner screen) *shown {
	var best *shown
	size := -1
	for s, candidate := range r.screens {
		area := s.width * s.height
		if s.width > owner.width || s.height > owner.height {
			area = 0
		}
		if area > size {
			best, size = candidate, area
		}
	}
	return best
}

// drop forgets the screens that nobody has; r.mu is held.
func (r *Room) drop() {
	for screen := range r.screens {
		if !slices.ContainsFunc(r.places, func(p *place) bool { return p.of == screen }) {
			delete(r.screens, screen)
		}
	}
}

// leave ends the following of a seat, and its teaching.
func (r *Room) leave(s *seat) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.places = slices.DeleteFunc(r.places, func(p *place) bool { return p.seat == s })
	if r.teacher == s {
		r.teacher = nil
		r.keyboard = ""
		r.session = nil
	}
	if !r.follows(r.keyboard) {
		r.keyboard = ""
	}
	r.drop()
	r.tell()
}

// teach has the window of a seat shown to the others; false if another person teaches.
func (r *Room) teach(s *seat) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.teacher != nil && r.teacher != s {
		return false
	}
	r.teacher = s
	r.tell()
	return true
}

// leads reports whether the window of a seat is shown to the others.
func (r *Room) leads(s *seat) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.teacher == s
}

// follows reports whether a person of that name follows; r.mu is held.
func (r *Room) follows(name string) bool {
	return slices.ContainsFunc(r.places, func(p *place) bool { return p.person.Name == name && !p.watching })
}

// publish draws the window for every screen, on the update loop of the teacher.
func (r *Room) publish(w *tui.Window) {
	r.mu.Lock()
	if r.session != nil && r.session != w.Session() {
		r.closeQuestion()
	}
	r.session = w.Session()
	list := make([]*shown, 0, len(r.screens))
	for _, screen := range r.screens {
		list = append(list, screen)
	}
	r.mu.Unlock()
	for _, screen := range list {
		drawn := frame{text: w.Draw(screen.viewer), plots: screen.viewer.Plots}
		r.mu.Lock()
		if !screen.drawn || !drawn.equal(screen.frame) {
			screen.frame = drawn
			screen.drawn = true
			for _, p := range r.places {
				if p.at == screen {
					p.latest.put(drawn)
				}
			}
		}
		r.mu.Unlock()
	}
}

// closeQuestion ends a question, which was about the session that the teacher has left; r.mu is held.
func (r *Room) closeQuestion() {
	q, ok := r.class.State().CurrentQuestion()
	if ok && q.Kind != classroom.Choice {
		r.teacher.server.background(func() error { return r.class.CloseQuestion(q.Number) })
	}
}

// pass gives the keyboard to a person by name; the empty name takes it back. It reports whether the person is there.
func (r *Room) pass(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keyboard = ""
	defer r.tell()
	if name != "" && !r.follows(name) {
		return false
	}
	r.keyboard = name
	return true
}

// press gives a key press of a seat to the teacher's window if the seat has the keyboard.
func (r *Room) press(s *seat, msg tea.Msg) bool {
	if !r.holds(s) {
		return false
	}
	r.mu.Lock()
	teacher := r.teacher
	r.mu.Unlock()
	if teacher != nil {
		teacher.send(passedMsg{s, msg})
	}
	return true
}

// holds reports whether a seat has the keyboard.
func (r *Room) holds(s *seat) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.keyboard == s.person.Name && r.keyboard != "" && !s.watching
}

// holder is the name of who has the keyboard; empty for nobody.
func (r *Room) holder() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.keyboard
}

// tell has everybody draw the state of the room; r.mu is held.
func (r *Room) tell() {
	for _, p := range r.places {
		p.latest.wake()
	}
	if r.teacher != nil {
		r.teacher.latest.wake()
	}
}

// path is the file of the session in the teacher's window; empty if there is none.
func (r *Room) path() string {
	if s := r.live(); s != nil {
		return s.Path()
	}
	return ""
}

// teaching is who teaches; empty for nobody.
func (r *Room) teaching() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.teacher == nil {
		return ""
	}
	return r.teacher.person.Name
}

// present are the names of those who follow, each once, in alphabetical order.
func (r *Room) present() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []string
	for _, p := range r.places {
		if !p.watching {
			list = append(list, p.person.Name)
		}
	}
	slices.SortFunc(list, strings.Compare)
	return slices.Compact(list)
}

// count is how many people follow.
func (r *Room) count() int { return len(r.present()) }

// mailbox holds the latest frame for a terminal, which takes it when it is ready: a terminal that does not read holds
// nobody up.
type mailbox struct {
	mu    sync.Mutex
	frame frame
	ready chan struct{} // has a value if there is something new
}

func newMailbox() *mailbox { return &mailbox{ready: make(chan struct{}, 1)} }

func (m *mailbox) put(drawn frame) {
	m.mu.Lock()
	m.frame = drawn
	m.mu.Unlock()
	m.wake()
}

func (m *mailbox) wake() {
	select {
	case m.ready <- struct{}{}:
	default:
	}
}

func (m *mailbox) take() frame {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.frame
}
