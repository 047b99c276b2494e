package timefmt

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"2d": 48 * time.Hour, "36h": 36 * time.Hour, "90min": 90 * time.Minute, " 1d 12 h ": 36 * time.Hour,
		"1.5h": 90 * time.Minute, "1w": 7 * 24 * time.Hour, "1min": time.Minute, "2d30min": 48*time.Hour + 30*time.Minute,
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "2", "d", "2 days", "-2d", "30s", "0.5min", "2d!", "d2", "1..2h", "522w", "1e9d", "2d 3"} {
		if got, err := Parse(text); err == nil || !strings.Contains(err.Error(), "as in 90min, 36h or 2d; got") {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
}

// Any text is a duration between the bounds, or an error.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"2d", "1d 12h", "1.5h", "٣d", "99999999999999999999d", ".", "1d\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := Parse(text); err == nil && (d < time.Minute || d > MaxDuration) {
			t.Errorf("%q is %v", text, d)
		}
	})
}

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0 s", 119 * time.Second: "119 s", 2 * time.Minute: "2 min",
		119 * time.Minute: "119 min", 2 * time.Hour: "2 h", 47 * time.Hour: "47 h", 48 * time.Hour: "2 days"} {
		assert.Equal(t, want, Age(d), "%v", d)
	}
}

// Days are those of the reader's time zone, also in the night of a change of clocks.
func TestClock(t *testing.T) {
	zone := time.FixedZone("CET", 3600)
	now := time.Date(2026, 11, 26, 0, 30, 0, 0, zone)
	for moment, want := range map[time.Time]string{
		now: "00:30",
		time.Date(2026, 11, 25, 23, 10, 0, 0, time.UTC):   "00:10",
		time.Date(2026, 11, 25, 22, 59, 0, 0, time.UTC):   "yesterday 23:59",
		time.Date(2026, 11, 27, 8, 0, 0, 0, zone):         "tomorrow 08:00",
		time.Date(2026, 11, 24, 17, 40, 59, 0, zone):      "2026-11-24 17:40",
		time.Date(2025, 11, 26, 0, 30, 0, 0, zone):        "2025-11-26 00:30",
		time.Date(2026, 11, 28, 8, 0, 0, 0, zone).Local(): "2026-11-28 08:00",
	} {
		assert.Equal(t, want, Clock(moment, now), "%v", moment)
	}
}
