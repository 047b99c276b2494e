// Package timefmt writes times and durations for people, in the time zone of the reader, and reads durations such as
// "2d". Times for other programs are RFC 3339 and are not formatted here.
package timefmt

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// MaxDuration bounds a duration that Parse reads.
const MaxDuration = 10 * 365 * day

const (
	day  = 24 * time.Hour
	week = 7 * day
)

// units are the units that Parse reads.
var units = map[string]time.Duration{"min": time.Minute, "h": time.Hour, "d": day, "w": week}

// Parse reads a duration of one or several numbers with units: "2d", "90 min", "1d 12h". The units are min, h, d (24
// hours) and w.
func Parse(text string) (time.Duration, error) {
	var total float64
	rest := strings.TrimSpace(text)
	for first := true; first || rest != ""; first = false {
		digits := strings.IndexFunc(rest, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
		if digits < 1 {
			return 0, durationError(text)
		}
		number, err := strconv.ParseFloat(rest[:digits], 64)
		rest = strings.TrimSpace(rest[digits:])
		end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) })
		if end < 0 {
			end = len(rest)
		}
		unit, known := units[rest[:end]]
		if err != nil || !known {
			return 0, durationError(text)
		}
		total += number * float64(unit)
		rest = strings.TrimSpace(rest[end:])
	}
	if total < float64(time.Minute) || total > float64(MaxDuration) {
		return 0, durationError(text)
	}
	return time.Duration(math.Round(total)), nil
}

func durationError(text string) error {
	return fmt.Errorf("a duration is a number with min, h, d or w, from 1min to %.0fw, as in 90min, 36h or 2d; got %q",
		MaxDuration.Hours()/week.Hours(), text)
}

// Age writes a duration in its largest unit: "45 s", "90 min", "36 h", "3 days".
func Age(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 2*day:
		return fmt.Sprintf("%.0f h", d.Hours())
	}
	return fmt.Sprintf("%.0f days", d.Hours()/24)
}

// Clock writes a time to the minute in the time zone of now: "17:40" today, "yesterday 17:40", "tomorrow 17:40", and
// otherwise with the date, "2026-11-23 17:40".
func Clock(t, now time.Time) string {
	t = t.In(now.Location())
	clock := t.Format("15:04")
	switch date(t).Sub(date(now)) {
	case 0:
		return clock
	case -day:
		return "yesterday " + clock
	case day:
		return "tomorrow " + clock
	}
	return t.Format("2006-01-02 15:04")
}

// date is the day of a time; days are 24 hours apart, also where clocks change.
func date(t time.Time) time.Time {
	year, month, dayOfMonth := t.Date()
	return time.Date(year, month, dayOfMonth, 0, 0, 0, 0, time.UTC)
}
