package library

import (
	"fmt"
	"path/filepath"
	"time"

	"bandscope/sessions/training"
)

// LabNameFor is NameFor of a session of a lab.
func LabNameFor(dir string, st training.State, begun time.Time) string {
	return filepath.Join(dir, fmt.Sprintf("%s-lab-%s-%d.jsonl", begun.Format(stamp), st.Lab.Name,
		st.Runs[0].Params.Int(st.Lab.Seed)))
}

// KeepLab is Keep of a session of a lab.
func KeepLab(s *training.Session, dir string) error {
	if dir == "" || s.Path() != "" {
		return nil
	}
	return kept(s.SaveAs(Free(LabNameFor(dir, s.State(), time.Now()))))
}
