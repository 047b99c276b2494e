package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// InUseError is the error about a file that somebody has open, in this program or in another one.
type InUseError struct{ Name string }

// Error says which, and what can be done.
func (e *InUseError) Error() string {
	return e.Name + " is in use: open another study, or end what is looking at it or working on it, first"
}

// maxCheckpointTries is how often a file is tried that somebody has open, who may only be glancing at it.
const maxCheckpointTries = 25

// Checkpoint brings what stands in the journals beside a file into the file, which alone holds its studies from then on
// and may be moved. The errors are *InUseError where somebody has it open, fs.ErrNotExist, *Unreachable and
// *NotStudyDatabaseError.
func Checkpoint(ctx context.Context, name string) error {
	if _, err := os.Stat(name); err != nil {
		return err
	}
	if err := checkHead(name); err != nil {
		return err
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	db, err := openFile(path, 1, "mode=rw&_pragma=busy_timeout(0)")
	if err != nil {
		return &OpenError{name, err}
	}
	var mode string
	// which only who is alone can have
	err = retryBusy(ctx, maxCheckpointTries, func() error {
		return db.QueryRowContext(ctx, "PRAGMA journal_mode = DELETE").Scan(&mode)
	})
	switch {
	case isBusy(err):
		err = &InUseError{name}
	case ctx.Err() != nil:
		err = ctx.Err()
	case err != nil:
		err = &OpenError{name, err}
	case mode != "delete":
		err = &OpenError{name, fmt.Errorf("its journal stays of the kind %q", mode)}
	}
	return errors.Join(err, db.Close())
}
