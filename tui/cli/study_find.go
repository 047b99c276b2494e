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

	"bandscope/functions/naming"
	"bandscope/sessions/log"
	"bandscope/sessions/study"
	"bandscope/sessions/study/published"
	"bandscope/sessions/study/shelf"
	"bandscope/sessions/study/store"
)

// found is what the word of a command names.
type foundStudy struct {
	declared *study.Declaration // to be submitted; nil of a study that stands in its database alone
	name     string
	db       string // where it is kept or is to be; empty is the data folder
}

// maxFile bounds a study file in bytes.
const maxStudyFile = 1 << 20

// find finds what is meant by a word: a file, which ends in .toml, a study in the database that is named, a built-in one, or one in the data folder.
func findStudy(ctx context.Context, word, db string) (foundStudy, error) {
	if strings.HasSuffix(word, ".toml") || strings.ContainsRune(word, filepath.Separator) {
		d, err := readStudy(ctx, word)
		if err != nil {
			return foundStudy{}, err
		}
		return foundStudy{d, d.Name, db}, nil
	}
	built, _ := published.Find(word)
	if db == "" {
		e, err := shelf.Find(ctx, word)
		if errors.Is(err, naming.ErrUnknown) {
			err = usagef("%w (a file of your own ends in .toml; bandscope list studies)", err)
		}
		return foundStudy{e.Built, word, ""}, err
	}
	names, err := studiesIn(ctx, db)
	switch {
	case err != nil:
		return foundStudy{}, err
	case slices.Contains(names, word):
		return foundStudy{built, word, db}, nil
	case built == nil:
		return foundStudy{}, asUsage(naming.Unknown("study", word, append(names, published.Names()...)))
	}
	return foundStudy{built, word, db}, nil
}

// read reads the file of a study.
func readStudy(ctx context.Context, path string) (*study.Declaration, error) {
	file, err := log.OpenRegular(path, maxStudyFile)
	if err != nil {
		return nil, asUsage(err)
	}
	text, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	d, err := study.Parse(ctx, path, text)
	return d, asUsage(err)
}

// in lists the studies of a database; there are none in one that is not there yet.
func studiesIn(ctx context.Context, db string) (names []string, err error) {
	st, err := store.Peek(ctx, db)
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

// place is the database, as it is opened.
func (f foundStudy) place() (string, error) {
	if f.db != "" {
		return f.db, nil
	}
	path, err := store.Default(f.name)
	if err != nil {
		return "", fmt.Errorf("%w; --db FILE names another place", err)
	}
	return path, nil
}

// open opens the database and submits what is declared; where it is only looked at, it is there already.
func (f foundStudy) open(ctx context.Context, errs io.Writer, look bool) (*store.Store, error) {
	place, err := f.place()
	if err != nil {
		return nil, err
	}
	if look {
		st, err := store.Peek(ctx, place)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, usagef("%s has not been begun in %s: without --look and --export it is run, and --published tells what was published of a built-in one", f.name, place)
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

// kindly is an error of a database, which is one of usage where it names something that is none of studies.
func databaseError(err error) error {
	var missing *fs.PathError
	switch {
	case errors.As(err, &missing) && errors.Is(err, fs.ErrNotExist):
		return usagef("there is no %s: bandscope study NAME --db makes it", missing.Path)
	case errors.As(err, new(*store.NotStudies)), errors.As(err, new(*store.BadName)):
		return asUsage(err)
	}
	return err
}
