package library

import (
	"fmt"
	"path/filepath"
	"time"

	"bandscope/sessions/training"
)

// TrainingNameFor is NameFor for a session of a lab.
func TrainingNameFor(dir string, st training.State, begun time.Time) string {
	return filepath.Join(dir, fmt.Sprintf("%s-lab-%s-%d.jsonl", begun.Format(stamp), st.Spec.Name,
		st.Runs[0].Params.Int(st.Spec.Seed)))
}

// SaveTraining saves a session of a lab, as Save does.
func SaveTraining(s *training.Session, dir string) error {
	if dir == "" || s.Path() != "" {
		return nil
	}
	return saveError(s.SaveAs(FreePath(TrainingNameFor(dir, s.State(), time.Now()))))
}
