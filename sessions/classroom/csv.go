package classroom

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// CSV writes the progress of the class as a table (RFC 4180): a row for each person and lesson, and one for each person
// without a lesson. names gives the name of a person by the ID, empty if it is unknown; nil writes pseudonyms only.
// Cells that a spreadsheet would take for a formula begin with an apostrophe.
func (st State) CSV(w io.Writer, names func(id string) string) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	rows := [][]string{{"pseudonym", "name", "role", "lesson", "page", "pages", "right", "wrong", "exercise",
		"class_questions_answered", "race_evaluations"}}
	p := st.Progress()
	for i, person := range st.People {
		name := ""
		if names != nil {
			name = names(person.ID)
		}
		begin := []string{person.Pseudonym, name, string(person.Role)}
		end := []string{strconv.Itoa(st.answeredBy(i)), strconv.Itoa(st.evaluatedBy(i))}
		found := false
		for _, r := range p.Readings {
			if r.Person != i {
				continue
			}
			found = true
			done := "no"
			if r.Exercise {
				done = "yes"
			}
			rows = append(rows, join(begin, []string{r.Lesson, strconv.Itoa(r.Page), strconv.Itoa(r.Pages),
				strconv.Itoa(r.Correct), strconv.Itoa(r.Wrong), done}, end))
		}
		if !found {
			rows = append(rows, join(begin, make([]string, 6), end))
		}
	}
	for _, row := range rows {
		for i := range row {
			row[i] = guardCell(row[i])
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func join(parts ...[]string) (row []string) {
	for _, p := range parts {
		row = append(row, p...)
	}
	return row
}

// guardCell is a cell that no spreadsheet takes for a formula (OWASP, "CSV injection").
func guardCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r\n", rune(text[0])) {
		return "'" + text
	}
	return text
}

// answeredBy is how many questions of the class a person answered, evaluatedBy how many points in races.
func (st State) answeredBy(person int) (n int) {
	for _, q := range st.Questions {
		for _, a := range q.latest() {
			if a.person == person {
				n++
			}
		}
	}
	return n
}

func (st State) evaluatedBy(person int) (n int) {
	for _, r := range st.Races {
		n += r.count(person, "")
	}
	return n
}
