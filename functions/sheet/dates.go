package sheet

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

var (
	isoDate   = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$`)
	dottedDay = regexp.MustCompile(`^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})$`) // 3.11.2026
	slashed   = regexp.MustCompile(`^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$`)   // 3/11/2026 is two days
)

// Date is a date as 2026-11-03, for one that is written as 2026-11-03, 3.11.2026 or 11/3/2026. It returns false for any
// other text, and an error for a date that can be two days.
func Date(text string) (string, bool, error) {
	year := 0
	month := 0
	day := 0
	if m := isoDate.FindStringSubmatch(text); m != nil {
		year = number(m[1])
		month = number(m[2])
		day = number(m[3])
	} else if m := dottedDay.FindStringSubmatch(text); m != nil {
		year = number(m[3])
		month = number(m[2])
		day = number(m[1])
	} else if m := slashed.FindStringSubmatch(text); m != nil {
		year = number(m[3])
		month = number(m[1])
		day = number(m[2])
		if month != day && month <= 12 && day <= 12 {
			return "", false, fmt.Errorf("%s is the %d.%d. or the %d.%d.; write the date as %04d-MM-DD", text, month, day,
				day, month, century(year))
		}
		if month > 12 {
			month, day = day, month
		}
	} else {
		return text, false, nil
	}
	t := time.Date(century(year), time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if t.Day() != day || int(t.Month()) != month {
		return "", false, fmt.Errorf("%s is not a date", text)
	}
	return t.Format(time.DateOnly), true, nil
}

func number(text string) int {
	n, _ := strconv.Atoi(text) // a few digits
	return n
}

// century is a year with four digits.
func century(year int) int {
	if year < 100 {
		return 2000 + year
	}
	return year
}
