package player

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
)

const (
	// followPause is the least time between two messages about what other programs recorded.
	followPause = 100 * time.Millisecond
	// followShare bounds the share of the time in which pictures of a stream of results are computed: after each, the
	// screen waits so many times as long as it took.
	followShare = 6
	maxFollow   = 4 * time.Second // between two pictures
	// followQuiet is how long nothing must arrive before the slow panels are computed.
	followQuiet = time.Second
)

// following is how the screen shows what other programs record in its session.
type following struct {
	waiting bool   // a command waits for the file
	failed  string // the file that cannot be followed any more
	behind  bool   // something is not shown yet
	timed   bool   // a command brings the time to show it
	shows   bool   // the picture that is computed shows it
	began   time.Time
	next    time.Time // when the next picture may begin
	arrived time.Time // when something arrived last
}

// ArrivedMsg brings what other programs recorded in the session of a player.
type ArrivedMsg struct {
	of   *Player
	path string // of the file
	list []sessions.Arrival
	err  error
}

// FollowMsg brings the time to show what other programs recorded.
type FollowMsg struct{ of *Player }

// Follow waits for what other programs record in the session, unless a command does so already or the session is not in
// a file. The window calls it after each message.
func (p *Player) Follow() tea.Cmd {
	if path := p.record.Path(); p.follow.waiting || path == "" || path == p.follow.failed {
		return nil
	}
	p.follow.waiting = true
	record := p.record
	since := p.follow.arrived
	return func() tea.Msg {
		path := record.Path()
		err := record.Await(context.Background())
		time.Sleep(time.Until(since.Add(followPause)))
		return ArrivedMsg{p, path, record.Arrivals(), err}
	}
}

// arrived takes a message about what other programs recorded, and says so.
func (p *Player) arrived(msg ArrivedMsg) {
	if msg.of != p {
		return
	}
	p.follow.arrived, p.follow.waiting = time.Now(), false
	if msg.err != nil {
		p.follow.failed = msg.path // until the session is saved to another file
		if news := p.news(); news != "" {
			p.Say(news, true)
		}
		return
	}
	p.follow.behind = true
	if text := arrivalsText(msg.list); text != "" && !p.Status.Open() {
		p.Notify(text)
	}
}

// arrivalsText says what came last, and how much more came with it.
func arrivalsText(list []sessions.Arrival) string {
	if len(list) == 0 {
		return ""
	}
	text := list[len(list)-1].String()
	if others := len(list) - 1; others > 0 {
		text += fmt.Sprintf(" (and %d more)", others)
	}
	return sanitize.Text(text)
}

// Quiet reports whether nothing of other programs has arrived for a while, and nothing is waiting to be shown.
func (p *Player) Quiet() bool {
	return !p.follow.behind && time.Since(p.follow.arrived) > followQuiet
}

// CatchUp adds to the command of a message a picture of what other programs recorded, by show, when nothing else is
// computed and pictures do not take too much of the time. A screen calls it after each message.
func (p *Player) CatchUp(cmd tea.Cmd, show func() tea.Cmd) tea.Cmd {
	f := &p.follow
	if p.Jobs.Busy() {
		return cmd
	}
	if f.shows {
		f.shows = false
		f.next = time.Now().Add(min(followShare*time.Since(f.began), maxFollow))
	}
	if !f.behind || f.timed {
		return cmd
	}
	if wait := time.Until(f.next); wait > 0 {
		f.timed = true
		return tea.Batch(cmd, tea.Tick(wait, func(time.Time) tea.Msg { return FollowMsg{p} }))
	}
	f.behind = false
	f.shows = true
	f.began = time.Now()
	return tea.Batch(cmd, show())
}

// Follows reports whether the picture that is computed shows what other programs recorded.
func (p *Player) Follows() bool { return p.follow.shows }

// QuietTick brings the time to compute the slow panels, if nothing arrives until then.
func (p *Player) QuietTick() tea.Cmd {
	return tea.Tick(followQuiet+followPause, func(time.Time) tea.Msg { return FollowMsg{p} })
}

// FollowTick takes the time to show what other programs recorded; false where it is for another player.
func (p *Player) FollowTick(msg FollowMsg) bool {
	if msg.of != p {
		return false
	}
	p.follow.timed = false
	return true
}
