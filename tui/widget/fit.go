package widget

import (
	"math"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// NumberIn writes a value in at most w columns, with as many of four significant digits as fit; an
// ellipsis where not even one fits.
func NumberIn(v float64, w int) string {
	if s := Number(v); len(s) <= w {
		return s
	}
	for digits := 3; digits > 0 && !math.IsNaN(v) && !math.IsInf(v, 0); digits-- {
		for _, format := range []byte{'f', 'e'} {
			s := strconv.FormatFloat(v, format, digits-1, 64)
			if format == 'f' {
				rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
				if err != nil {
					continue
				}
				s = strconv.FormatFloat(rounded, 'f', -1, 64)
			} else if mantissa, exponent, ok := strings.Cut(s, "e"); ok {
				if n, err := strconv.Atoi(exponent); err == nil {
					s = mantissa + "e" + strconv.Itoa(n)
				}
			}
			if len(s) <= w {
				return s
			}
		}
	}
	return ansi.Truncate("…", max(w, 0), "")
}
