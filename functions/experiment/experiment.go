// Package experiment reads and writes declarations of your own experiments: the variables, objectives, constraints,
// limits and costs of a black box, in a TOML file. It parses a file into a Declaration, or reports every fault with its
// line; a Declaration becomes a functions.Problem without a known truth, and is stored as JSON at the head of a
// session. A Draft is a declaration while it is being edited: the text typed for every key, right or wrong, and the
// faults found in it. The package opens no files and evaluates nothing.
package experiment

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/functions/tomlfile"
)

// Bounds of a declaration.
const (
	MaxFile       = tomlfile.MaxFile
	MaxVariables  = 1000
	MaxObjectives = 10
	MaxLimits     = 10
	maxMixtures   = 100
	maxBudget     = 1_000_000
	maxName       = 64   // bytes
	maxUnit       = 32   // characters
	maxAbout      = 2000 // characters
)

// Treatments of failed evaluations.
const (
	FailuresLearned = "learned" // where they do is believed in
	FailuresIgnored = "ignored" // they are accidents, and say nothing about where
)

// Declaration declares an experiment. Its JSON has the fields of the file.
type Declaration struct {
	Name  string `json:"name"`
	About string `json:"about,omitempty"`
	// an expression of the variables, as functions.ParseCost reads it; empty is 1
	Cost        string   `json:"cost,omitempty"`
	Constraints []string `json:"constraints,omitempty"` // as functions.ParseConstraint reads them
	Budget      int      `json:"budget,omitempty"`      // planned iterations; 0 if not declared
	// FailuresLearned or FailuresIgnored; empty if not declared
	Failures string `json:"failures,omitempty"`
	// how long a result usually takes, as timefmt.Parse reads it; empty if not declared
	Duration   string                `json:"duration,omitempty"`
	Variables  functions.Domain      `json:"variable"`
	Objectives []functions.Objective `json:"objective"`
	Limits     []functions.Objective `json:"limit,omitempty"`   // quantities that are measured but not optimized
	Mixtures   []functions.Mixture   `json:"mixture,omitempty"` // variables with a fixed sum
	// the only inputs, with their measured values; nil if every input between the bounds can be evaluated
	Table *Table `json:"table,omitempty"`
}

// UnmarshalJSON reads what json.Marshal wrote. An unknown field is an error, because it would change the meaning of the
// experiment.
func (d *Declaration) UnmarshalJSON(data []byte) error {
	type plain Declaration // without this method
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	var p plain
	if err := in.Decode(&p); err != nil {
		return fmt.Errorf("the declaration of the experiment: %w", err)
	}
	*d = Declaration(p)
	return nil
}

// Problem is the problem that is declared, without its cost, which functions.ParseCost reads, and without a truth unless
// it is a table. It is right only if Check finds nothing. A constraint that cannot be read holds nowhere.
func (d *Declaration) Problem() *functions.Problem {
	p := &functions.Problem{Name: d.Name, Title: d.Name, About: d.About, Source: "your own experiment",
		Domain: slices.Clone(d.Variables), Objectives: slices.Clone(d.Objectives), Limits: slices.Clone(d.Limits)}
	for _, text := range d.Constraints {
		c, err := functions.ParseConstraint(text, d.Variables)
		if err != nil {
			c = functions.InvalidConstraint(text)
		}
		p.Constraints = append(p.Constraints, c)
	}
	if err := p.SetMixtures(slices.Clone(d.Mixtures)...); err != nil {
		p.Constraints = append(p.Constraints, functions.InvalidConstraint(err.Error()))
	}
	p.Range = d.outcomeRange()
	if d.Table != nil {
		p.Source = "your own table of measured candidates"
		if t := d.Table.problemTable(p); d.Table.Pending {
			p.Source, p.Table = "your own table of candidates", t
		} else {
			p.SetTable(t)
		}
	}
	return p
}

// outcomeRange is the declared range of the objectives; nil if one declares none.
func (d *Declaration) outcomeRange() *functions.Range {
	r := &functions.Range{}
	for _, o := range d.Objectives {
		if o.Range == nil {
			return nil
		}
		best, worst := o.Range[0], o.Range[1]
		if o.Direction == functions.Maximize {
			best, worst = worst, best
		}
		r.Ideal, r.Nadir = append(r.Ideal, best), append(r.Nadir, worst)
	}
	return r
}

// Differences says in which respects another declaration is not the same, in the order of the file; nil where it is the
// same.
func (d *Declaration) Differences(other *Declaration) (list []string) {
	report := func(subject, was, now string) {
		if was != now {
			list = append(list, fmt.Sprintf("%s is now %s; it was %s", subject, cmp.Or(now, "empty"), cmp.Or(was, "empty")))
		}
	}
	a, err := d.draft()
	if err != nil {
		return []string{err.Error()}
	}
	b, err := other.draft()
	if err != nil {
		return []string{err.Error()}
	}
	for _, f := range fields[Root] {
		report(f.Key, a.Root[f.Key], b.Root[f.Key])
	}
	for _, table := range []string{Variables, Objectives, Limits} {
		before, after := *a.Rows(table), *b.Rows(table)
		places := -1 // of the rows that stay, in their new order
		ordered := true
		for _, row := range before {
			i := indexOfRow(after, row["name"])
			if i < 0 {
				list = append(list, "there is no "+table+" "+row["name"]+" any more")
				continue
			}
			ordered = ordered && i > places
			places = i
		}
		for _, row := range after {
			if indexOfRow(before, row["name"]) < 0 {
				list = append(list, "there is a new "+table+" "+row["name"])
			}
		}
		if !ordered {
			list = append(list, "the "+table+"s are in another order")
		}
		for _, row := range before {
			i := indexOfRow(after, row["name"])
			for _, f := range fields[table] {
				if i >= 0 {
					report(f.Key+" of "+row["name"], f.shown(row), f.shown(after[i]))
				}
			}
		}
	}
	report("mixtures", mixturesText(d.Mixtures), mixturesText(other.Mixtures))
	report("table", d.tableText(), other.tableText())
	return list
}

func indexOfRow(rows []Row, name string) int {
	return slices.IndexFunc(rows, func(r Row) bool { return r["name"] == name })
}

// shown is the value in a row; an empty kind or scale is the first one.
func (f Field) shown(row Row) string {
	if f.Key == "kind" || f.Key == "scale" {
		return cmp.Or(row[f.Key], f.Choices[0])
	}
	return row[f.Key]
}

// mixturesText lists mixtures as constraints.
func mixturesText(list []functions.Mixture) string {
	texts := make([]string, len(list))
	for i, m := range list {
		texts[i] = m.Text()
	}
	return strings.Join(texts, "; ")
}

// tableText identifies the table; empty if there is none.
func (d *Declaration) tableText() string {
	if d.Table == nil {
		return ""
	}
	return fmt.Sprintf("%s (SHA-256 %.8s…)", d.Table.File, d.Table.SHA256)
}

// Measured reports whether the experiment is a table whose rows are measured: nobody needs to evaluate it.
func (d *Declaration) Measured() bool { return d.Table != nil && !d.Table.Pending }

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func rangeText(r *[2]float64) string {
	if r == nil {
		return ""
	}
	return "[" + number(r[0]) + ", " + number(r[1]) + "]"
}

// The names of the scales in a file.
const linearName, logName = "linear", "log"

func variableNames(d functions.Domain) (names []string) {
	for _, v := range d {
		names = append(names, v.Name)
	}
	return names
}

func objectiveNames(list []functions.Objective) (names []string) {
	for _, o := range list {
		names = append(names, o.Name)
	}
	return names
}
