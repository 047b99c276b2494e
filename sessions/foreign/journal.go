package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"bandscope/functions"
)

// The operations of a journal that are read (optuna/storages/journal/_storage.py); the others set attributes of trials and
// of people.
const (
	opCreateStudy = iota
	opDeleteStudy
	_
	opStudyAttribute
	opCreateTrial
	opTrialParam
	opTrialState
)

// journalStates and journalDirections are the numbers of a journal as names.
var (
	journalStates     = []string{"RUNNING", "COMPLETE", "PRUNED", "FAIL", "WAITING"}
	journalDirections = []functions.Direction{"", functions.Minimize, functions.Maximize}
)

// journalLine is a line of a journal.
type journalLine struct {
	Op            *int               `json:"op_code"`
	Study         int                `json:"study_id"`
	StudyName     string             `json:"study_name"`
	Directions    []int              `json:"directions"`
	Attributes    map[string]any     `json:"system_attr"`
	Trial         int                `json:"trial_id"`
	Param         string             `json:"param_name"`
	Value         *float64           `json:"param_value_internal"`
	Distribution  string             `json:"distribution"`
	State         *int               `json:"state"`
	Single        *float64           `json:"value"`
	Values        []*float64         `json:"values"`
	Params        map[string]float64 `json:"params"`
	Distributions map[string]string  `json:"distributions"`
}

// journal is what the lines of a journal have made so far.
type journal struct {
	studies []*journalStudy // by their numbers; nil if it was deleted
	trials  []*optunaTrial  // by their numbers, of all studies
}

type journalStudy struct {
	optunaStudy
	trials []*optunaTrial
}

// isJournal reports whether a text begins as a journal of Optuna.
func isJournal(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	var first journalLine
	return json.Unmarshal(line, &first) == nil && first.Op != nil
}

// readJournal reads a study of a journal of Optuna: JSON lines, each an operation.
func readJournal(text []byte, o Options) (*Run, error) {
	var j journal
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var l journalLine
		err := json.Unmarshal(line, &l)
		if err == nil && l.Op == nil {
			err = errors.New("it has no op_code")
		}
		if err == nil {
			err = j.apply(l)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d of the journal of Optuna: %w", number, err)
		}
	}
	study, err := j.study(o.Study)
	if err != nil {
		return nil, fmt.Errorf("the journal of Optuna: %w", err)
	}
	for _, t := range study.trials {
		if t.finished() {
			study.optunaStudy.trials = append(study.optunaStudy.trials, t)
		} else {
			study.unfinished++
		}
	}
	return study.run("Optuna")
}

// apply applies an operation.
func (j *journal) apply(l journalLine) error {
	switch *l.Op {
	case opCreateStudy:
		return j.createStudy(l)
	case opDeleteStudy, opStudyAttribute, opCreateTrial:
		if l.Study < 0 || l.Study >= len(j.studies) || j.studies[l.Study] == nil {
			return fmt.Errorf("there is no study %d", l.Study)
		}
	case opTrialParam, opTrialState:
		if l.Trial < 0 || l.Trial >= len(j.trials) {
			return fmt.Errorf("there is no trial %d", l.Trial)
		}
	}
	switch *l.Op {
	case opDeleteStudy:
		j.studies[l.Study] = nil
	case opStudyAttribute:
		list, _ := l.Attributes[metricNames].([]any)
		if list != nil {
			j.studies[l.Study].metrics = nil
		}
		for _, name := range list {
			j.studies[l.Study].metrics = append(j.studies[l.Study].metrics, fmt.Sprint(name))
		}
	case opCreateTrial:
		return j.createTrial(l)
	case opTrialParam:
		if t := j.trials[l.Trial]; l.Value != nil && len(t.params) <= maxParams {
			t.params[l.Param], t.kinds[l.Param] = *l.Value, l.Distribution
		}
	case opTrialState:
		return j.trials[l.Trial].set(l)
	}
	return nil
}

func (j *journal) createStudy(l journalLine) error {
	s := &journalStudy{}
	s.name = l.StudyName
	for _, d := range l.Directions {
		if d < 1 || d >= len(journalDirections) {
			return fmt.Errorf("the direction %d is unknown", d)
		}
		s.directions = append(s.directions, journalDirections[d])
	}
	j.studies = append(j.studies, s)
	return nil
}

func (j *journal) createTrial(l journalLine) error {
	s := j.studies[l.Study]
	t := newTrial(len(s.trials))
	t.state = journalStates[0]
	for name, x := range l.Params {
		t.params[name], t.kinds[name] = x, l.Distributions[name]
	}
	if l.Single != nil {
		l.Values = []*float64{l.Single}
	}
	s.trials = append(s.trials, t)
	j.trials = append(j.trials, t)
	if len(s.trials) > maxTrials {
		return fmt.Errorf("the study has more than %d trials", maxTrials)
	}
	return t.set(l)
}

// set sets the state and the values of a trial.
func (t *optunaTrial) set(l journalLine) error {
	if l.State != nil {
		if *l.State < 0 || *l.State >= len(journalStates) {
			return fmt.Errorf("the state %d is unknown", *l.State)
		}
		t.state = journalStates[*l.State]
	}
	for k, v := range l.Values {
		if v != nil {
			t.values[k] = *v
		}
	}
	return nil
}

// study is the study of a name, or the only one.
func (j *journal) study(name string) (*journalStudy, error) {
	all := slices.DeleteFunc(slices.Clone(j.studies), func(s *journalStudy) bool { return s == nil })
	var list []string
	for _, s := range all {
		list = append(list, s.name)
	}
	i, err := pickStudy(list, name)
	if err != nil {
		return nil, err
	}
	if len(all[i].directions) == 0 {
		return nil, errors.New("the study has no objective")
	}
	return all[i], nil
}
