package sessions

import (
	"errors"
	"fmt"

	"bandscope/functions/timefmt"
	"bandscope/sessions/recorder"
)

// kindTimed is the kind of event after which results are expected to take another time. No belief depends on it.
const kindTimed = "timed"

var _ = register(kindTimed, kind{fold: recorder.FoldData((*State).expectDuration), text: describeData(timedText)})

type timedData struct {
	Duration string `json:"duration"` // as in the declaration; empty if it is no longer known
	Reason   string `json:"reason,omitempty"`
}

// expectDuration folds another expected duration.
func (st *State) expectDuration(d timedData) error {
	if err := st.checkDuration(d.Duration); err != nil {
		return err
	}
	other := *st.Config.Experiment
	other.Duration = d.Duration
	st.Config.Experiment = &other
	return nil
}

// checkDuration returns why an expected duration cannot be declared.
func (st State) checkDuration(text string) error {
	if st.Config.Experiment == nil {
		return fmt.Errorf("%s: a test function has no expected duration; your own experiment has", st.Problem.Name)
	}
	if text == "" {
		return nil
	}
	_, err := timefmt.Parse(text)
	return err
}

// timedText describes another expected duration.
func timedText(_ State, d timedData) string {
	if d.Duration == "" {
		return "no duration is expected any more" + because(d.Reason)
	}
	return "a result usually takes " + d.Duration + because(d.Reason)
}

// ExpectDuration declares how long a result usually takes from here on, such as "2d"; empty if that is not known. Pending
// points are due by it, too.
func (s *Session) ExpectDuration(duration, reason string) error {
	_, err := s.rec.Act(func() ([]recorder.Entry, error) {
		st := *s.rec.State()
		if err := st.checkDuration(duration); err != nil {
			return nil, err
		}
		if st.Config.Experiment.Duration == duration {
			return nil, errors.New("this duration is already declared")
		}
		return []recorder.Entry{{Kind: kindTimed, Data: timedData{duration, reason}}}, nil
	})
	return err
}
