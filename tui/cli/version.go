package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bandscope/model/linalg"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/sanitize"
)

func versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "version", Short: "Print the version, the commit and the build", Args: args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return writeVersion(os.Stdout, asJSON) }}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON with all build settings")
	return c
}

// sourceCommit is the commit of a module that was fetched, which has no repository. .ci/hosted sets it.
const sourceCommit = ""

// buildInfo describes the build of the program.
type buildInfo struct {
	Version  string            `json:"version"`
	Commit   string            `json:"commit,omitempty"`   // empty if the build had no repository
	Time     string            `json:"time,omitempty"`     // of the commit, RFC 3339
	Modified bool              `json:"modified,omitempty"` // the build has changes that were not committed
	Format   string            `json:"format"`             // of the session files that it writes
	Go       string            `json:"go"`
	Platform string            `json:"platform"`
	Compute  string            `json:"compute"`            // linear algebra, see linalg.Build
	Settings map[string]string `json:"settings,omitempty"` // of the compiler
}

func thisBuild() buildInfo {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return newBuildInfo(info, sourceCommit)
}

// newBuildInfo reads what the compiler stamped; without a repository, the commit is that of the source.
func newBuildInfo(info *debug.BuildInfo, source string) buildInfo {
	b := buildInfo{Version: sessions.ProgramVersion(), Commit: source, Format: eventlog.Version(),
		Go: cmp.Or(info.GoVersion, runtime.Version()), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Compute: linalg.Build(), Settings: map[string]string{}}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs":
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		default:
			b.Settings[s.Key] = s.Value
		}
	}
	return b
}

// Date is the date of the commit, or if that is not known the date of the build.
func (b buildInfo) Date() time.Time {
	if t, err := time.Parse(time.RFC3339, b.Time); err == nil {
		return t.UTC()
	}
	if path, err := os.Executable(); err == nil {
		if info, err := os.Stat(path); err == nil {
			return info.ModTime().UTC()
		}
	}
	return time.Now().UTC()
}

// String describes the build in lines of text.
func (b buildInfo) String() string {
	commit := "unknown (built without the repository)"
	if b.Commit != "" {
		commit = b.Commit
		if b.Time != "" {
			commit += " of " + b.Time
		}
		if b.Modified {
			commit += ", modified"
		}
	}
	var s strings.Builder
	fmt.Fprintf(&s, "bandscope %s\ncommit    %s\nbuilt     with %s for %s", b.Version, commit, b.Go, b.Platform)
	for _, key := range []string{"CGO_ENABLED", "-trimpath", "-tags", "-ldflags"} {
		if v := b.Settings[key]; v != "" {
			fmt.Fprintf(&s, ", %s=%s", key, v)
		}
	}
	fmt.Fprintf(&s, "\ncompute   %s\nsessions  format %s\n", b.Compute, b.Format)
	return sanitize.Lines(s.String())
}

func writeVersion(out io.Writer, asJSON bool) error {
	b := thisBuild()
	if asJSON {
		return sanitize.JSON(out, b)
	}
	_, err := io.WriteString(out, b.String())
	return err
}
