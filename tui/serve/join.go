package serve

import (
	"context"
	"errors"
	"time"
)

// byPIN lets a person join by a name and a PIN.
func (s *Server) byPIN(ctx context.Context, name, pin string, teacher bool) (*Person, error) {
	if !s.people.knows(name) {
		return s.byNewName(ctx, name, teacher, func() (*Person, error) { return s.people.byPIN(name, pin, teacher) })
	}
	if !s.limits.mayTry(name) {
		return nil, errPaced
	}
	p, err := s.people.byPIN(name, pin, teacher)
	if errors.Is(err, ErrPIN) {
		s.limits.failed(name)
	}
	return p, err
}

// byName lets a person join by a name alone, which must be new, or that of a guest who left.
func (s *Server) byName(ctx context.Context, name string, teacher bool) (*Person, error) {
	if s.people.knows(name) {
		err := s.giveBack(func(other string, known person) bool {
			return other == name && known.guest() && time.Since(known.seen) > guestWait
		})
		if err != nil {
			return nil, err
		}
	}
	if s.people.knows(name) {
		return nil, ErrGuest
	}
	return s.byNewName(ctx, name, teacher, func() (*Person, error) { return s.people.byName(name, teacher) })
}

// byNewName makes a person when it is their turn.
func (s *Server) byNewName(ctx context.Context, name string, teacher bool, join func() (*Person, error)) (*Person, error) {
	if !names.MatchString(name) {
		return nil, ErrName
	}
	if err := s.limits.newName(ctx, teacher); err != nil {
		return nil, ErrBusy
	}
	p, err := join()
	if errors.Is(err, ErrFull) {
		err = s.makeRoom(func() (err error) {
			p, err = join()
			return err
		})
	}
	return p, err
}

// makeRoom gives the names of guests back, and then those with a PIN, until something does not fail.
func (s *Server) makeRoom(do func() error) error {
	var err error
	for _, guests := range []bool{true, false} {
		err = s.giveBack(func(_ string, known person) bool { return !guests || known.guest() })
		if err == nil {
			err = do()
		}
		if err == nil {
			return nil
		}
	}
	return err
}

// giveBack forgets names of people who are away and left nothing, with their tokens and their places in the classes.
func (s *Server) giveBack(chosen func(string, person) bool) error {
	_, err := s.clearNames(chosen)
	return err
}

// clearNames is giveBack with the number of names.
func (s *Server) clearNames(chosen func(string, person) bool) (int, error) {
	s.mu.Lock()
	here := map[string]bool{}
	for st := range s.seats {
		here[st.person.Name] = true
	}
	rooms := make([]*Room, 0, len(s.rooms))
	for _, r := range s.rooms {
		rooms = append(rooms, r)
	}
	s.mu.Unlock()
	acted := func(id string) bool {
		for _, r := range rooms {
			if r.class.State().Acted(id) {
				return true
			}
		}
		return false
	}
	names, err := s.people.giveBack(func(name string, known person) bool {
		return !here[name] && time.Since(known.seen) > joinWait && chosen(name, known) && !acted(s.names.ID(name))
	})
	if err != nil || len(names) == 0 {
		return 0, err
	}
	ids := make([]string, 0, len(names))
	for _, name := range names {
		s.tokens.drop(name)
		ids = append(ids, s.names.ID(name))
	}
	errs := []error{s.names.Remove(ids)}
	for _, r := range rooms {
		errs = append(errs, r.class.Remove(ids))
	}
	s.options.Log.Info("names given back", "count", len(names))
	return len(names), errors.Join(errs...)
}
