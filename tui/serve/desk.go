package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"bandscope/sessions"
	"bandscope/sessions/classroom"
	"bandscope/sessions/library"
	"bandscope/tui/class"
)

// desk is what the teacher's panel acts on: the class of a room, with the session in the teacher's window. Its methods
// are called off the update loop.
type desk struct {
	server *Server
	room   *Room
	seat   *seat
}

// Joining is how people join.
func (d desk) Joining() (code string, addresses []string) {
	code, _ = d.server.Codes()
	d.server.mu.Lock()
	defer d.server.mu.Unlock()
	return code, d.server.addresses
}

func (d desk) State() classroom.State { return d.room.class.State() }

// Present says who is connected, by ID.
func (d desk) Present() map[string]class.Presence {
	d.room.mu.Lock()
	defer d.room.mu.Unlock()
	all := map[string]class.Presence{}
	for _, p := range d.room.places {
		if !p.watching {
			here := all[p.id]
			all[p.id] = class.Presence{Connected: true, Keyboard: here.Keyboard || d.room.keyboard == p.person.Name}
		}
	}
	all[d.seat.id] = class.Presence{Connected: true}
	return all
}

// Session is the state of the session in the teacher's window.
func (d desk) Session() (sessions.State, bool) {
	s := d.room.live()
	if s == nil {
		return sessions.State{}, false
	}
	return s.State(), true
}

// Ask asks the class; the belief is computed meanwhile.
func (d desk) Ask(p classroom.Prompt) (int, error) {
	number, err := d.room.class.Ask(p)
	if err == nil && p.Kind != classroom.Choice {
		d.room.compute(d.seat)
	}
	return number, err
}

// Reveal shows the answers, and keeps them in the session by pseudonym: as a note, and those about pairs of outcomes as
// preferences, from which the prior over weights is learned.
func (d desk) Reveal(question int) error {
	if err := d.room.class.Reveal(question); err != nil {
		return err
	}
	r, err := d.room.class.State().Result(question)
	s := d.room.live()
	if err != nil || s == nil || s.Protected() { // the teacher only looks at the session
		return err
	}
	via := s.Author().Via
	s.RecordAs(sessions.Author{Kind: sessions.AuthorClass, Via: via}, func() {
		if r.Kind == classroom.Pair {
			err = classroom.RecordPreferences(s, r, via)
		}
		err = errors.Join(err, classroom.WriteNote(s, r))
	})
	d.seat.send(refreshMsg{})
	return err
}

func (d desk) CloseQuestion(question int) error { return d.room.class.CloseQuestion(question) }

// StartRace starts a race, and runs its methods.
func (d desk) StartRace(r classroom.RaceConfig) (int, error) {
	number, err := d.room.class.StartRace(r)
	if err != nil {
		return 0, err
	}
	for _, m := range r.Methods {
		d.server.background(func() error {
			end, err := d.seat.rights.Compute(d.server.ctx)
			if err != nil {
				return err
			}
			defer end()
			return d.room.class.RunMethod(d.server.ctx, number, m)
		})
	}
	return number, nil
}

func (d desk) EndRace(race int) error { return d.room.class.EndRace(race) }

// PassKeyboard gives the keyboard to a person.
func (d desk) PassKeyboard(id string) error {
	name := d.server.names.Name(id)
	if !d.room.pass(name) {
		return errors.New("this person is not connected")
	}
	return nil
}

// TakeKeyboard takes the keyboard back.
func (d desk) TakeKeyboard() error {
	d.room.pass("")
	return nil
}

// Name is the name of a person.
func (d desk) Name(id string) string { return d.server.names.Name(id) }

// ClearNames gives back the names of people who are away and left nothing.
func (d desk) ClearNames() (int, error) {
	return d.server.clearNames(func(string, person) bool { return true })
}

// Disconnect ends the terminals of a person.
func (d desk) Disconnect(id string) error {
	name := d.server.names.Name(id)
	ended := false
	d.server.mu.Lock()
	defer d.server.mu.Unlock()
	for st := range d.server.seats {
		if st.person.Name == name && !st.person.Teacher {
			st.end(errDisconnected)
			ended = true
		}
	}
	if !ended {
		return errors.New("this person is not connected")
	}
	return nil
}

// Export writes the progress as CSV into the teacher's folder.
func (d desk) Export() (string, error) {
	name := fmt.Sprintf("progress-%s-%s.csv", d.room.Name, time.Now().Format("20060102-150405"))
	path := filepath.Join(d.seat.rights.Sessions, name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	return path, errors.Join(d.room.class.State().CSV(f, d.server.names.Name), f.Sync(), f.Close())
}

// openClass opens the record of the class of a room.
func openClass(ctx context.Context, dir, room string) (*classroom.Class, error) {
	path := filepath.Join(dir, "room-"+room+".jsonl")
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return classroom.Create(path, room)
	}
	c, err := classroom.Open(ctx, path)
	if err == nil {
		return c, nil
	}
	// Another server writes to it, or it is damaged: it stays as it is, and the class goes on in another file.
	next := library.FreePath(path)
	c, failed := classroom.Create(next, room)
	return c, errors.Join(failed, ignore(err, failed))
}

// ignore drops an error after its remedy has not failed.
func ignore(err, failed error) error {
	if failed == nil {
		return nil
	}
	return err
}

// compute computes the belief that a question is about, for all who see it, as long as the teacher who asks is there.
func (r *Room) compute(teacher *seat) {
	session := r.live()
	if session == nil {
		return
	}
	teacher.server.background(func() error {
		ctx := teacher.rights.Lasting()
		end, err := teacher.rights.Compute(ctx)
		if err != nil {
			return err
		}
		defer end()
		b, err := class.ComputeBelief(ctx, session, func(string, int, int) {})
		if err != nil {
			return err
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.about = b
		r.tell()
		return nil
	})
}

// belief is what the question is about; nil while it is not known.
func (r *Room) belief() *class.Belief {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.about
}

// live is the session in the teacher's window; nil while nobody teaches.
func (r *Room) live() *sessions.Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.session
}
