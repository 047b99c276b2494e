package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"bandscope/functions/didyoumean"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/library"
	"bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/sessions/study/store"
)

// studyTarget is the study that an argument names.
type studyTarget struct {
	declared *study.Declaration // to submit; nil if the study is only in its database
	name     string
	db       string // its database; empty is the data folder
}

// needsFlags returns an error that has the flags which the programs of a study need.
func (f studyTarget) needsFlags() error {
	if f.declared == nil {
		return nil
	}
	cells, err := f.declared.Cells()
	if err != nil {
		return err
	}
	var flags []string
	for _, c := range cells {
		if flag := c.NeedsFlag(f.declared.Own...); flag != "" && !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
	}
	if flags == nil {
		return nil
	}
	return usagef("methods of this study are programs, which are started only if the command line names them: add %s",
		strings.Join(flags, " "))
}

const maxStudyFile = 1 << 20

// findStudy finds the study that an argument names: a .toml file, a study in the given database, a built-in one, or one
// in the data folder.
func findStudy(ctx context.Context, word, db string) (studyTarget, error) {
	if strings.HasSuffix(word, ".toml") || strings.ContainsRune(word, filepath.Separator) {
		d, err := readStudy(ctx, word)
		if err != nil {
			return studyTarget{}, err
		}
		return studyTarget{d, d.Name, db}, nil
	}
	built, _ := published.Find(word)
	if db == "" {
		e, err := published.FindOpen(ctx, library.DefaultStudiesDir(), word)
		if errors.Is(err, didyoumean.ErrUnknown) {
			err = usagef("%w (your own study is a file that ends in .toml; bandscope list studies lists the others)", err)
		}
		return studyTarget{e.BuiltIn, word, ""}, err
	}
	names, err := studiesIn(ctx, db)
	switch {
	case err != nil:
		return studyTarget{}, err
	case slices.Contains(names, word):
		return studyTarget{built, word, db}, nil
	case built == nil:
		return studyTarget{}, asUsage(didyoumean.NewUnknownError("study", word, append(names, published.Names()...)))
	}
	return studyTarget{built, word, db}, nil
}

func readStudy(ctx context.Context, path string) (*study.Declaration, error) {
	file, err := eventlog.OpenRegular(path, maxStudyFile)
	if err != nil {
		return nil, asUsage(err)
	}
	text, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	d, err := study.ParseWithFiles(ctx, path, text, sessions.FilesBeside(path))
	return d, asUsage(err)
}

// studiesIn lists the studies of a database; a database that does not exist has none.
func studiesIn(ctx context.Context, db string) (names []string, err error) {
	st, err := store.OpenExisting(ctx, db)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, databaseError(err)
	}
	defer st.Close()
	list, err := st.Studies(ctx)
	for _, s := range list {
		names = append(names, s.Name)
	}
	return names, err
}

// open opens the database and submits the declaration. With look, the study must exist and nothing is submitted.
func (f studyTarget) open(ctx context.Context, errs io.Writer, look bool) (*store.Store, error) {
	place, err := f.db, error(nil)
	if place == "" {
		place, err = store.PathIn(library.DefaultStudiesDir(), f.name)
		if err != nil {
			return nil, fmt.Errorf("%w; --db FILE sets another place", err)
		}
	}
	if look {
		st, err := store.OpenExisting(ctx, place)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, usagef("%s has not started in %s: leave out --look and --export to run it, or use --published for the stored results of a built-in study", f.name, place)
		}
		return st, databaseError(err)
	}
	st, err := store.Open(ctx, place)
	if err != nil {
		return nil, databaseError(err)
	}
	if f.declared == nil {
		return st, nil
	}
	if err := submitStudy(ctx, errs, st, f.declared); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}

// databaseError is an error of a database. It is one of usage if the name is not that of a database of studies.
func databaseError(err error) error {
	var missing *fs.PathError
	switch {
	case errors.As(err, &missing) && errors.Is(err, fs.ErrNotExist):
		return usagef("there is no %s: bandscope study NAME --db FILE creates it", missing.Path)
	case errors.As(err, new(*store.NotStudyDatabaseError)), errors.As(err, new(*store.NameError)):
		return asUsage(err)
	}
	return err
}
