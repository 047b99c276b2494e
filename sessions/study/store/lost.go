package store

import (
	"context"
	"errors"
	"fmt"
	"os"

	"bandscope/sessions/eventlog"
)

// rememberFile keeps the identity of the open file.
func (s *Store) rememberFile() (*Store, error) {
	if s.pool != nil {
		return s, nil
	}
	var err error
	s.opened, err = os.Stat(s.path)
	if err != nil {
		return nil, errors.Join(&OpenError{s.name, err}, s.Close())
	}
	return s, nil
}

// Check checks that the database is still where it was opened. The error is an eventlog.LostError if another program
// has removed or replaced its file: later results are in a file without a name, until they are rescued.
func (s *Store) Check() error {
	if s.pool != nil {
		return nil
	}
	_, err := eventlog.CheckSame(s.path, s.opened)
	return err
}

// Rescue copies a database whose file is lost to a new file beside it, with all results, and returns an error that says
// where. Any other error is returned unchanged.
func (s *Store) Rescue(ctx context.Context, lost error) error {
	if !errors.As(lost, new(*eventlog.LostError)) {
		return lost
	}
	for path := range eventlog.RescuePaths(s.path) {
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		if _, err := s.write.ExecContext(ctx, "VACUUM INTO ?", path); err != nil {
			return fmt.Errorf("%w, and its content cannot be saved beside it: %w", lost, err)
		}
		return fmt.Errorf("%w; all results are now in %s; continue with --db %s", lost, path, path)
	}
	return fmt.Errorf("%w, and no name beside it is free", lost)
}
