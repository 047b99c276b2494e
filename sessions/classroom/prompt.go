package classroom

import (
	"errors"
	"slices"
	"strings"

	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

// PointPrompt asks where to evaluate next in a session.
func PointPrompt(st sessions.State) Prompt {
	domain := slices.Clone(st.Problem.Domain)
	for j, v := range domain {
		domain[j].Name = sanitize.Text(v.Name)
		domain[j].Unit = sanitize.Text(v.Unit)
		domain[j].Descriptors = nil
		domain[j].Choices = slices.Clone(v.Choices)
		for i, c := range v.Choices {
			domain[j].Choices[i] = sanitize.Text(c)
		}
	}
	return Prompt{Kind: Point, Text: "Where would you evaluate next?", Variables: domain}
}

// PairPrompt asks which of two outcomes of a session is better: of the pair whose answer tells most about the weights.
func PairPrompt(st sessions.State) (Prompt, error) {
	if len(st.Problem.Objectives) < 2 {
		return Prompt{}, errors.New("a question about two outcomes needs a session with two or more objectives")
	}
	pair, ok := report.NextPair(st)
	if !ok {
		return Prompt{}, errors.New("there is no pair of outcomes to ask about yet; take more steps, or use a method with a prior over weights")
	}
	p := Prompt{Kind: Pair, Text: "Which of these two outcomes do you prefer?",
		Pair: &OutcomePair{Objectives: slices.Clone(st.Problem.Objectives)}}
	for k, o := range p.Pair.Objectives {
		p.Pair.Objectives[k].Name, p.Pair.Objectives[k].Unit = sanitize.Text(o.Name), sanitize.Text(o.Unit)
	}
	for _, o := range []struct {
		at [2]int
		to *Outcome
	}{{pair.A, &p.Pair.First}, {pair.B, &p.Pair.Second}} {
		values, err := st.ObservedValues(o.at)
		if err != nil {
			return Prompt{}, err
		}
		*o.to = Outcome{Step: o.at[0], Point: o.at[1], Values: values[:len(st.Problem.Objectives)]}
	}
	return p, nil
}

// BandPrompt asks what the next result does to the band.
func BandPrompt() Prompt {
	return Prompt{Kind: Choice, Text: "What will the band do after the next step?",
		Options: []string{"it gets narrower", "it stays the same", "it gets wider"}}
}

// ParsePrompt reads a question with its options, separated by semicolons; an asterisk marks the right option:
// "Where is the band widest?; near data; *far from data".
func ParsePrompt(text string) (Prompt, error) {
	parts := strings.Split(text, ";")
	p := Prompt{Kind: Choice, Text: strings.TrimSpace(parts[0])}
	for i, o := range parts[1:] {
		o = strings.TrimSpace(o)
		if rest, ok := strings.CutPrefix(o, "*"); ok {
			if p.Correct != 0 {
				return p, errors.New("only one option can be right; mark it with an asterisk")
			}
			o, p.Correct = strings.TrimSpace(rest), i+1
		}
		p.Options = append(p.Options, o)
	}
	return p, p.Check()
}
