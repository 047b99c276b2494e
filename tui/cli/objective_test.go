package cli_test

import (
	"strings"
	"testing"
)

// Objectives are added, dropped, turned and expected otherwise from the command line, and variables narrowed: each says what was done, what is wrong says
// what would be right and records nothing, and the record repeats itself.
func TestMidway(t *testing.T) {
	dir := experiment(t)
	for _, c := range []struct {
		line   string
		status int
		want   string
	}{
		{"tell s.jsonl new --at dose=16,time=30 extraction=18 bitterness=3", 0, "step 1"},
		{"ask s.jsonl", 0, "2 "},
		{"__complete tell s.jsonl 2 --sd extraction=1,", 0, "extraction=1,bitterness=\tminimize"},
		{"__complete tell s.jsonl 2 --at time=1,", 0, "time=1,dose="},
		{"__complete objective s.jsonl drop b", 0, "bitterness\tminimize bitterness"},
		{"objective s.jsonl", 0, "maximize extraction, expected from 14 to 24\nminimize bitterness, expected from 0 to 10\n"},
		{"objective s.jsonl --noise 1", 2, "add, drop, turn, expect or limit"},
		{"objective s.jsonl add", 2, "objective s.jsonl add NAME"},
		{"objective s.jsonl add body --direction maximize --range 0,5 --noise 0.3 --unit points", 0, "1 earlier result lacks it"},
		{"tell s.jsonl 1 body=4", 0, "body = 4"},
		{"objective s.jsonl turn bitterness", 0, "maximize bitterness, expected from 0 to 10"},
		{"objective s.jsonl expect body --range 1,4 --noise none", 0, "maximize body (points), expected from 1 to 4 from here on"},
		{"objective s.jsonl expect body --scale log", 0, "maximize body (points), expected from 1 to 4, by factors from here on"},
		{"__complete objective s.jsonl expect body --scale l", 0, "log"},
		{"objective s.jsonl drop extraction", 0, "stays on record"},
		{"narrow s.jsonl dose=15,18 time=25 --because grinder", 0, "dose stays within [15, 18] from here on; time is pinned at 25"},
		{"narrow s.jsonl", 0, "dose from 15 to 18 g  (its domain: from 14 to 20)\n"},
		{"narrow s.jsonl dose=free time=9999", 2, "the bounds of time must lie in"},
		{"correct s.jsonl step 1 = 3, 4 sd 0.25, ? at dose=16.5 cost 2 because misread", 0, "step 1 is corrected to 3, 4"},
		{"correct s.jsonl reject 2", 0, "point 2 is rejected"},
		{"replay s.jsonl --verify", 0, "1 suggestion"},
		{"replay s.jsonl --plain", 0, "(was 3, 4 ± ?, ? at (16, 30) of cost 1, because misread)"},
	} {
		words := strings.Fields(c.line)
		if words[0] == "correct" {
			words = []string{"correct", "s.jsonl", strings.TrimPrefix(c.line, "correct s.jsonl ")}
		}
		out, errs, status := try(t, dir, words...)
		got := out
		if c.status != 0 {
			got = errs
		}
		if status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s: status %d, %q %q; want %d, %q", c.line, status, out, errs, c.status, c.want)
		}
	}
}
