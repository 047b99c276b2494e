package classroom

import (
	"fmt"
	"slices"
)

const kindRemoved = "removed"

// removedData removes students who have done nothing.
type removedData struct {
	People []string `json:"people"`
}

func (*removedData) kind() string { return kindRemoved }

func (d *removedData) check(st State) error {
	if len(d.People) == 0 || len(d.People) > maxPeople {
		return fmt.Errorf("1 to %d people are removed at once, got %d", maxPeople, len(d.People))
	}
	for i, id := range d.People {
		p, err := st.student(id)
		switch {
		case err != nil:
			return err
		case slices.Contains(d.People[:i], id):
			return fmt.Errorf("%s is removed twice", p.Pseudonym)
		case st.Acted(id):
			return fmt.Errorf("%s has done something in the class, and stays in its record", p.Pseudonym)
		}
	}
	return nil
}

// apply removes the people. Answers, evaluations and steps refer to people by their places in the list.
func (d *removedData) apply(st State) State {
	places := make([]int, len(st.People))
	var people []Person
	for i, p := range st.People {
		places[i] = len(people)
		if !slices.Contains(d.People, p.ID) {
			people = append(people, p)
		}
	}
	st.People, st.usedPeople = people, nil
	st.Questions, st.usedQuestions = slices.Clone(st.Questions), nil
	for i := range st.Questions {
		q := &st.Questions[i]
		q.answers, q.used = slices.Clone(q.answers), nil
		for k := range q.answers {
			q.answers[k].person = places[q.answers[k].person]
		}
	}
	st.Races, st.usedRaces = slices.Clone(st.Races), nil
	for i := range st.Races {
		r := &st.Races[i]
		r.evaluations, r.used = slices.Clone(r.evaluations), nil
		for k, e := range r.evaluations {
			if e.person >= 0 {
				r.evaluations[k].person = places[e.person]
			}
		}
	}
	st.steps, st.usedSteps = slices.Clone(st.steps), nil
	for k := range st.steps {
		st.steps[k].person = places[st.steps[k].person]
	}
	return st
}

// Acted reports whether a person has answered, evaluated or read in the class, or teaches it.
func (st State) Acted(id string) bool {
	position := st.index(id)
	if position < 0 {
		return false
	}
	if st.People[position].Role == Teacher {
		return true
	}
	for _, q := range st.Questions {
		if slices.ContainsFunc(q.answers, func(a answer) bool { return a.person == position }) {
			return true
		}
	}
	for _, r := range st.Races {
		if r.count(position, "") > 0 {
			return true
		}
	}
	return slices.ContainsFunc(st.steps, func(s lessonStep) bool { return s.person == position })
}

// Remove removes those of the people who are students and have done nothing.
func (c *Class) Remove(ids []string) error {
	return c.record(func(st State) (change, error) {
		removed := slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
			_, err := st.student(id)
			return err != nil || st.Acted(id)
		})
		if len(removed) == 0 {
			return nil, nil
		}
		return &removedData{removed}, nil
	})
}
