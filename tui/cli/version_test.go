package cli

import (
	"bytes"
	"encoding/json"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/model/linalg"
)

// A build tells its commit, whether that is what was built, and its settings; one that knows none says so.
func TestBuild(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.99",
		Settings: []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "0123abcd"},
			{Key: "vcs.time", Value: "2026-05-06T07:08:09Z"},
			{Key: "vcs.modified", Value: "true"}, {Key: "CGO_ENABLED", Value: "0"},
			{Key: "-tags", Value: "a,b\x1b[31m"}}}
	b := newBuildInfo(info, "4567cdef")
	if b.Commit != "0123abcd" || !b.Modified || b.Go != "go1.99" || b.Settings["CGO_ENABLED"] != "0" ||
		b.Date().Format("2006-01-02 15:04") != "2026-05-06 07:08" {
		t.Errorf("%+v", b)
	}
	for _, want := range []string{
		"0123abcd of 2026-05-06T07:08:09Z, modified", "go1.99 for " + runtime.GOOS + "/" + runtime.GOARCH,
		"CGO_ENABLED=0", "-tags=a,b␛[31m", "compute   " + linalg.Build(), "format 1."} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q lacks %q", b.String(), want)
		}
	}
	if none := newBuildInfo(&debug.BuildInfo{}, ""); !strings.Contains(none.String(), "commit    unknown") ||
		none.Go == "" || none.Date().IsZero() {
		t.Errorf("%+v", none)
	}
	fetched := newBuildInfo(&debug.BuildInfo{}, "4567cdef").String()
	assert.Contains(t, fetched, "commit    4567cdef\n", "a module that was fetched: %q", fetched)
	var out bytes.Buffer
	var back buildInfo
	if err := writeVersion(&out, true); err != nil || json.Unmarshal(out.Bytes(), &back) != nil ||
		back.Platform != runtime.GOOS+"/"+runtime.GOARCH || back.Format == "" {
		t.Errorf("%s, %v", out.String(), err)
	}
}
