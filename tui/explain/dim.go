package explain

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/theme"
)

// How what is not told is drawn: texts and lines in one faint colour; areas, which are colours and nothing else, in theirs but far nearer to the background. Where that
// cannot be mixed, areas are left out.
var mixed = regexp.MustCompile(`([34]8;2);(\d+);(\d+);(\d+)`)

// halves are the two samples of a field that a cell has, blocks what areas are filled with.
const (
	halves = "▀"
	blocks = halves + "▁▂▃▄▅▆▇█"
)

// faded is how much of a colour is left.
const faded = 0.3

// dimmed is a part of a line with all of it dimmed.
func dimmed(st theme.Style, text string) string {
	if st.Tier < theme.TrueColor {
		return st.Paint(st.Border, strings.ReplaceAll(ansi.Strip(text), halves, " "))
	}
	var b strings.Builder
	now := ""
	run := func(cells string) {
		switch {
		case cells == "":
		case strings.Contains(now, ";48;2;") || strings.ContainsAny(cells, blocks):
			b.WriteString(fade(now, st.Dark) + cells + "\x1b[0m")
		default:
			b.WriteString(st.Paint(st.Border, cells))
		}
	}
	for text != "" {
		from := strings.Index(text, "\x1b[")
		to := strings.IndexByte(text[max(from, 0):], 'm') + max(from, 0) + 1
		if from < 0 || to <= from {
			run(ansi.Strip(text))
			break
		}
		run(text[:from])
		if sequence := text[from:to]; strings.HasPrefix(sequence, "\x1b[0") || sequence == "\x1b[m" {
			now = sequence
		} else { // more of what was begun, such as colours turned over
			now += sequence
		}
		text = text[to:]
	}
	return b.String()
}

// fades are the sequences that were faded, of dark and of light backgrounds: there are as many as pairs of colours of a map.
var fades [2]sync.Map

// fade is a sequence of colours that are mixed with the background.
func fade(sequence string, dark bool) string {
	ground, known := 255.0, &fades[0]
	if dark {
		ground, known = 16, &fades[1]
	}
	if was, ok := known.Load(sequence); ok {
		return was.(string)
	}
	now := mixed.ReplaceAllStringFunc(sequence, func(s string) string {
		part := mixed.FindStringSubmatch(s)
		out := part[1]
		for _, c := range part[2:] {
			v, _ := strconv.Atoi(c)
			out += fmt.Sprintf(";%d", int(ground+faded*(float64(v)-ground)))
		}
		return out
	})
	known.Store(sequence, now)
	return now
}
