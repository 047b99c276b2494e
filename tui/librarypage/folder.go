package librarypage

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/study/published"
	"bandscope/tui/widget"
)

// folder is the folder of saved sessions as it was read last, and the operation on it, off the update loop.
type folder struct {
	dir     string
	open    string // the file of the session that is explored
	jobs    widget.Jobs
	doing   string   // the operation on a session, empty while the folder is only read
	loaded  bool     // the folder was read
	failed  string   // why it could not be
	trashed []string // the paths of deleted files in the trash, in order
}

// acting reports whether an operation on a session is running.
func (f *folder) acting() bool { return f.jobs.Busy() && f.doing != "" }

// fileChange is the result of an operation on a session or a study.
type fileChange struct {
	in       field  // whose list it is of
	at       string // the entry to select then
	trashed  string // its path in the trash, if it was deleted
	restored string // its path in the trash, if it was restored
	typed    bool   // its name was typed: if it fails, the name stays to be corrected
	err      error
}

// folderMsg brings the result of an operation, if there was one, and the folder as it is then.
type folderMsg struct {
	fileChange
	entries []library.Entry
	listErr error
	lessons lesson.Progress
	studies []published.Entry
}

// list reads the folder.
func (m *Model) list() tea.Cmd {
	return m.startChange("", func(context.Context) fileChange { return fileChange{} })
}

// startChange runs an operation on a session or a study, and then reads the folder again.
func (m *Model) startChange(subject string, act func(context.Context) fileChange) tea.Cmd {
	m.folder.doing = subject
	dir := m.folder.dir
	studies := m.Rights.Studies
	shown := subject
	if shown == "" {
		shown = "reading " + sanitize.Text(dir)
	}
	return m.folder.jobs.Start(shown, func(ctx context.Context, _ func(string, int, int)) tea.Msg {
		msg := folderMsg{fileChange: act(ctx)}
		msg.entries, msg.listErr = library.List(ctx, dir)
		msg.lessons, _ = lesson.ReadProgress(dir)     // the window shows the error
		msg.studies, _ = published.List(ctx, studies) // only the built-in ones if the folder cannot be read
		return msg
	})
}

// stop cancels the operation on a session, and reads the folder again.
func (m *Model) stop() tea.Cmd {
	subject := m.folder.doing
	cmd := m.list()
	m.say("stopped " + subject + "; reading the folder again")
	return cmd
}

// rename asks for another name of the selected session.
func (m *Model) rename() tea.Cmd {
	path, name := m.session()
	return m.Status.Ask("rename to", name, func(text string) tea.Cmd {
		return m.startChange("renaming "+sanitize.Text(name), func(context.Context) fileChange {
			target, err := library.Rename(path, text)
			return fileChange{in: fieldSessions, at: target, typed: true, err: err}
		})
	})
}

// copy asks for the name of a copy of the selected session.
func (m *Model) copy() tea.Cmd {
	path, name := m.session()
	return m.Status.Ask("copy as", name+"-copy", func(text string) tea.Cmd {
		return m.startChange("copying "+sanitize.Text(name), func(ctx context.Context) fileChange {
			target, err := library.Copy(ctx, path, text)
			return fileChange{in: fieldSessions, at: target, typed: true, err: err}
		})
	})
}

// trash moves the selected session or study to the trash, from where it can be restored.
func (m *Model) trash() tea.Cmd {
	if m.field == fieldStudies {
		it, _ := m.on(fieldStudies)
		m.preview.jobs.Stop() // which may have it open
		return m.startChange("deleting the study "+sanitize.Text(it.value), func(ctx context.Context) fileChange {
			trashPath, err := published.MoveToTrash(ctx, it.path)
			return fileChange{in: fieldStudies, at: it.value, trashed: trashPath, err: err}
		})
	}
	path, name := m.session()
	return m.startChange("deleting "+sanitize.Text(name), func(context.Context) fileChange {
		trashPath, err := library.MoveToTrash(path)
		return fileChange{in: fieldSessions, at: path, trashed: trashPath, err: err}
	})
}

// session is the file of the selected session, and its name.
func (m *Model) session() (path, name string) {
	it, _ := m.on(fieldSessions)
	return it.value, nameFor(it.value)
}

// nameFor is the name of a session or a study, by its file.
func nameFor(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }

// restore restores the last deleted session or study.
func (m *Model) restore() tea.Cmd {
	last := m.folder.trashed[len(m.folder.trashed)-1]
	return m.startChange("restoring "+sanitize.Text(nameFor(last)), func(context.Context) fileChange {
		path, err := library.Restore(last)
		if name, ok := strings.CutSuffix(filepath.Base(path), published.Extension); ok {
			return fileChange{in: fieldStudies, at: name, restored: last, err: err}
		}
		return fileChange{in: fieldSessions, at: path, restored: last, err: err}
	})
}

// changeDone takes the result of an operation and the folder as it is then; it shows an error.
func (m *Model) changeDone(msg tea.Msg) tea.Cmd {
	asked := m.folder.doing
	m.folder.doing = ""
	done, ok := msg.(folderMsg)
	if p, panicked := msg.(widget.PanicMsg); panicked {
		done = folderMsg{listErr: errors.New("internal error: " + p.Reason)}
	}
	m.put(done.entries, done.listErr)
	m.putLessons(done.lessons)
	m.relist(fieldStudies, studyItems(done.studies))
	if done.err != nil {
		m.preview.path = "" // it may have been stopped for the operation that failed
		m.Status.Fail(done.err)
		if done.typed && m.field == fieldSessions && !m.Status.Open() {
			return m.Status.Again(done.err.Error())
		}
		return nil
	}
	if asked == "" || !ok {
		return nil
	}
	m.Say(m.folder.failed, true)
	m.preview.path = ""
	if done.trashed != "" {
		m.folder.trashed = append(m.folder.trashed, done.trashed)
		m.say("moved to the trash; ctrl+u restores it")
	}
	if done.restored != "" {
		m.folder.trashed = slices.DeleteFunc(m.folder.trashed, func(p string) bool { return p == done.restored })
	}
	m.inputs[done.in].SetValue("")
	m.selected[done.in] = min(m.selected[done.in], max(len(m.lists[done.in])-1, 0))
	m.selectValue(done.in, done.at)
	return nil
}

// put shows the folder as it was read: its sessions, and first the functions and methods that the newest of them used.
// The selection stays.
func (m *Model) put(entries []library.Entry, unread error) {
	m.folder.loaded, m.folder.failed = true, ""
	if unread != nil && m.folder.dir != "" {
		m.folder.failed = "the folder cannot be read: " + sanitize.Text(unread.Error())
	}
	lately, with := used(entries)
	m.fitting.used = with
	m.relist(fieldSessions, sessionItems(entries))
	m.relist(fieldFunction, byUse(m.lists[fieldFunction], lately))
	m.relist(fieldOptimizer, byUse(m.lists[fieldOptimizer], with))
}

// unlisted says why there is no list of saved sessions; empty if there is one.
func (m *Model) unlisted() string {
	switch {
	case m.folder.dir == "":
		return library.ErrNoHome.Error()
	case m.folder.failed != "":
		return m.folder.failed
	case !m.folder.loaded:
		return "reading the folder…"
	case len(m.lists[fieldSessions]) == 0:
		return "there are no saved sessions yet"
	}
	return ""
}
