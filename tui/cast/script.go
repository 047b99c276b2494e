// Package cast records screens: it reads the scripts of recordings, and turns frames of cells with their times into an
// asciicast (docs.asciinema.org, version 2) or an animated SVG picture, in which only what changes is written again. It
// knows no screen: package tui plays scripts, package export the record of a session.
package cast

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"bandscope/functions/didyoumean"
)

// Script is the script of a recording.
//
//	size 100 30                                     the window, in cells
//	theme light                                     dark or light
//	plots pictures                                  cells, or pictures as some terminals show them
//	title A search                                  of the recording
//	session FUNCTION OPTIMIZER SEED [KEY=VALUE …]   what the explorer opens, or
//	lesson NAME                                     a lesson, or a session of the gallery
//	pace 0.8                                        seconds before each key press
//	say The band narrows                            a caption: a marker of the recording
//	keys space space enter                          key presses, by their names
//	type 0.4                                        a text, key by key
//	wait 2                                          seconds in which nothing happens
//
// Empty lines and lines that begin with # are comments. What opens the screen comes before the first act.
type Script struct {
	Width, Height int
	Light         bool
	Pictures      bool // plots are pictures
	Title         string
	Session       []string // words of the line session, nil for none
	Lesson        string   // empty for none
	Acts          []Act
}

// Act is a key press, a caption or a pause.
type Act struct {
	Line  int           // of the script, from 1
	Key   string        // name of a key (widget.KeyPress); empty for none
	Say   string        // caption; empty for none
	Pause time.Duration // from the act before
}

// The default window, and the time before a key press and between typed characters.
const (
	defaultWidth, defaultHeight = 100, 30

	defaultPace = 800 * time.Millisecond
	typingPace  = 100 * time.Millisecond
)

// Bounds of a script: bytes, acts and seconds of a pause.
const (
	MaxSize = 1 << 20

	maxActs  = 10_000
	maxPause = 600
)

// reader is a script while it is read.
type reader struct {
	Script
	pace    time.Duration
	line    int
	written map[string]bool // settings of the head that the script has
}

// settings are the lines that describe the window, before the first act.
var settings = map[string]func(r *reader, rest string) error{
	"size":    (*reader).readSize,
	"theme":   (*reader).readTheme,
	"plots":   (*reader).readPlots,
	"title":   func(r *reader, rest string) error { r.Title = rest; return nil },
	"session": func(r *reader, rest string) error { r.Session = strings.Fields(rest); return nil },
	"lesson":  func(r *reader, rest string) error { r.Lesson = rest; return nil },
}

// acts are the lines that do something.
var acts = map[string]func(r *reader, rest string) error{
	"pace": func(r *reader, rest string) (err error) { r.pace, err = parseSeconds(rest); return err },
	"say":  func(r *reader, rest string) error { return r.add(Act{Say: rest}) },
	"keys": (*reader).readKeys,
	"type": (*reader).readText,
	"wait": func(r *reader, rest string) error {
		pause, err := parseSeconds(rest)
		if err != nil {
			return err
		}
		return r.add(Act{Pause: pause})
	},
}

// words are all words with which a line begins, in the order of the documentation.
var words = []string{"size", "theme", "plots", "title", "session", "lesson", "pace", "say", "keys", "type", "wait"}

// ReadScript reads a script. An error names the line.
func ReadScript(text string) (*Script, error) {
	if len(text) > MaxSize {
		return nil, fmt.Errorf("the script has more than %d bytes", MaxSize)
	}
	r := &reader{Script: Script{Width: defaultWidth, Height: defaultHeight}, pace: defaultPace,
		written: map[string]bool{}}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r.line = i + 1
		if err := r.readLine(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", r.line, err)
		}
	}
	if len(r.Acts) == 0 {
		return nil, errors.New("the script has no acts: write a line such as \"keys space space\"")
	}
	return &r.Script, nil
}

// readLine reads a line that is not empty.
func (r *reader) readLine(line string) error {
	if strings.ContainsFunc(line, func(c rune) bool { return unicode.IsControl(c) && c != '\t' || c == unicode.ReplacementChar }) {
		return errors.New("the line has a control character, or is not UTF-8")
	}
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	act, setting := acts[word], settings[word]
	switch {
	case act == nil && setting == nil:
		return didyoumean.NewUnknownError("word", word, words)
	case rest == "":
		return fmt.Errorf("%s needs a value after it", word)
	case act != nil:
		return act(r, rest)
	case len(r.Acts) > 0:
		return fmt.Errorf("write %s before the first act", word)
	case r.written[word]:
		return fmt.Errorf("%s is there twice", word)
	case word == "session" && r.Lesson != "", word == "lesson" && r.Session != nil:
		return errors.New("a script opens a session or a lesson, not both")
	}
	r.written[word] = true
	return setting(r, rest)
}

// The smallest and the largest window.
const (
	minWidth, minHeight = 80, 24
	maxWidth, maxHeight = 300, 100
)

func (r *reader) readSize(rest string) error {
	list := strings.Fields(rest)
	if len(list) == 2 {
		w, errW := strconv.Atoi(list[0])
		h, errH := strconv.Atoi(list[1])
		if errW == nil && errH == nil && w >= minWidth && w <= maxWidth && h >= minHeight && h <= maxHeight {
			r.Width, r.Height = w, h
			return nil
		}
	}
	return fmt.Errorf("the size must be a width from %d to %d and a height from %d to %d, as in size 100 30; got %q",
		minWidth, maxWidth, minHeight, maxHeight, rest)
}

func (r *reader) readTheme(rest string) error {
	if rest != "dark" && rest != "light" {
		return fmt.Errorf("the theme must be dark or light, got %q", rest)
	}
	r.Light = rest == "light"
	return nil
}

func (r *reader) readPlots(rest string) error {
	if rest != "cells" && rest != "pictures" {
		return fmt.Errorf("plots must be cells or pictures, got %q", rest)
	}
	r.Pictures = rest == "pictures"
	return nil
}

// readKeys reads the names of keys.
func (r *reader) readKeys(rest string) error {
	for _, name := range strings.Fields(rest) {
		if strings.ReplaceAll(strings.ReplaceAll(name, "ctrl+", ""), "shift+", "") == "" {
			return fmt.Errorf("a key is missing after %q", name)
		}
		if err := r.add(Act{Key: name, Pause: r.pace}); err != nil {
			return err
		}
	}
	return nil
}

// readText reads a text that is typed; the pause before its first character is that of a key.
func (r *reader) readText(rest string) error {
	pause := r.pace
	for _, c := range rest {
		name := string(c)
		if c == ' ' || c == '\t' {
			name = "space"
		}
		if err := r.add(Act{Key: name, Pause: pause}); err != nil {
			return err
		}
		pause = typingPace
	}
	return nil
}

// add appends an act.
func (r *reader) add(a Act) error {
	if len(r.Acts) >= maxActs {
		return fmt.Errorf("the script has more than %d acts", maxActs)
	}
	a.Line = r.line
	r.Acts = append(r.Acts, a)
	return nil
}

// parseSeconds reads a time in seconds, with or without its unit.
func parseSeconds(text string) (time.Duration, error) {
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, "s"), 64)
	if err != nil || !(v >= 0 && v <= maxPause) {
		return 0, fmt.Errorf("the time must be a number of seconds from 0 to %d, got %q", maxPause, text)
	}
	return time.Duration(math.Round(v*1000)) * time.Millisecond, nil
}
