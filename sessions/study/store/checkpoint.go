package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// InUseError is the error about a file that is open, in this program or in another one.
type InUseError struct{ Name string }

// Error names the file, and says what to do.
func (e *InUseError) Error() string {
	return e.Name + " is in use; first open another study here, and end other programs that show or run it"
}

// maxCheckpointTries is how often to try a file that is open; another program may close it soon.
const maxCheckpointTries = 25

// Checkpoint writes the journals beside a file into the file, which can then be moved on its own. The errors are
// *InUseError if the file is open, fs.ErrNotExist, *OpenError and *NotStudyDatabaseError.
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
	// which needs exclusive access
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
		err = &OpenError{name, fmt.Errorf("its journal mode is still %q", mode)}
	}
	return errors.Join(err, db.Close())
}
