package preference

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxPriorText bounds the text of a prior, in bytes.
const maxPriorText = 1000

// regionName is the form of a region's name.
var regionName = regexp.MustCompile(`^[a-z][a-z0-9/-]*$`)

func (b Bound) String() string {
	s := strconv.FormatFloat(b.Value, 'g', -1, 64)
	if b.Percent {
		s += "%"
	}
	return s
}

func (i Interval) String() string {
	if i.Any {
		return "any"
	}
	return i.From.String() + ".." + i.To.String()
}

// String writes a prior as ParsePrior reads it.
func (p Prior) String() string {
	parts := make([]string, len(p))
	for i, part := range p {
		parts[i] = part.Text
		if part.Share != 1 {
			parts[i] = strconv.FormatFloat(part.Share, 'f', -1, 64) + " " + part.Text
		}
	}
	return strings.Join(parts, " + ")
}

// ParsePrior reads a prior: "flat", "half-normal", "dirichlet(2)", "dirichlet(1, 3)", "box(-80..-70, 16..22)",
// "box(60%..80%, any)", the name of a region, or a mixture such as "0.3 top + 0.7 flat". The definition of a region may
// itself be a mixture.
func ParsePrior(text string, regions map[string]string) (Prior, error) {
	return parsePrior(text, func(name string) (string, error) {
		if meant, ok := regions[name]; ok {
			return meant, nil
		}
		return "", fmt.Errorf("%q is not a prior: use flat, half-normal, dirichlet(α), box(from..to, …)%s, or several joined by +", name, formatRegions(regions))
	})
}

// ValidPrior returns an error for an invalid text of a prior, whatever the regions: any name may be that of a region.
func ValidPrior(text string) error {
	_, err := parsePrior(text, func(name string) (string, error) {
		if !regionName.MatchString(name) {
			return "", fmt.Errorf("%q is not a prior: use flat, half-normal, dirichlet(α), box(from..to, …), the name of a region, or several joined by +", name)
		}
		return string(Flat), nil
	})
	return err
}

func parsePrior(text string, region func(name string) (string, error)) (Prior, error) {
	if len(text) > maxPriorText {
		return nil, fmt.Errorf("a prior can have at most %d characters", maxPriorText)
	}
	var prior Prior
	for _, term := range splitOutside(text, '+') {
		part, err := parsePart(term)
		if err != nil {
			return nil, err
		}
		if part.Distribution != "" {
			prior = append(prior, part)
			continue
		}
		meant, err := region(part.Text)
		if err != nil {
			return nil, err
		}
		inner, err := ParsePrior(meant, nil)
		if err != nil {
			return nil, err
		}
		whole := inner.total()
		for i := range inner {
			inner[i].Share *= part.Share / whole
		}
		if len(inner) == 1 {
			inner[0].Text, inner[0].Share = part.Text, part.Share
		}
		prior = append(prior, inner...)
	}
	return prior, nil
}

func formatRegions(regions map[string]string) string {
	if len(regions) == 0 {
		return ""
	}
	return ", one of the regions " + strings.Join(sortedNames(regions), ", ")
}

// splitOutside splits at a separator outside parentheses.
func splitOutside(text string, sep byte) []string {
	var parts []string
	depth, from := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == sep && depth == 0:
			parts = append(parts, text[from:i])
			from = i + 1
		}
	}
	return append(parts, text[from:])
}

// parsePart reads one term; for a name that is not a distribution, the distribution is empty.
func parsePart(term string) (Part, error) {
	text := strings.TrimSpace(term)
	p := Part{Share: 1}
	if head, rest, ok := strings.Cut(strings.ReplaceAll(text, "*", " "), " "); ok {
		if share, err := strconv.ParseFloat(head, 64); err == nil {
			if !(share > 0) || math.IsInf(share, 1) {
				return p, fmt.Errorf("the share of %q must be positive, got %s", strings.TrimSpace(rest), head)
			}
			p.Share, text = share, strings.TrimSpace(rest)
		}
	}
	name, inside, call := strings.Cut(text, "(")
	name = strings.TrimSpace(name)
	p.Text = text
	if call {
		inside = strings.TrimSpace(inside)
		if !strings.HasSuffix(inside, ")") {
			return p, fmt.Errorf("%q has no closing parenthesis", text)
		}
		inside = strings.TrimSuffix(inside, ")")
	}
	var err error
	switch {
	case text == "":
		return p, fmt.Errorf("a part of the prior is empty")
	case !call && (name == string(Flat) || name == string(Normal)):
		p.Distribution = Distribution(name)
	case call && name == string(Dirichlet):
		p.Distribution = Dirichlet
		p.Alpha, err = parseAlpha(inside)
	case call && name == string(Box):
		p.Distribution = Box
		for _, item := range strings.Split(inside, ",") {
			var i Interval
			i, err = parseInterval(item)
			if err != nil {
				return p, err
			}
			p.Box = append(p.Box, i)
		}
	case call || name == string(Dirichlet) || name == string(Box):
		return p, fmt.Errorf("%q is not a prior: dirichlet(α) and box(from..to, …) take values, flat and half-normal do not", text)
	}
	return p, err
}

// The range of the concentrations of a Dirichlet distribution.
const minAlpha, maxAlpha = 0.01, 1e6

func parseAlpha(inside string) ([]float64, error) {
	var alpha []float64
	for _, singular := range strings.Split(inside, ",") {
		a, err := strconv.ParseFloat(strings.TrimSpace(singular), 64)
		if err != nil || !(a > 0) {
			return nil, fmt.Errorf("α of a Dirichlet distribution must be a positive number, got %q",
				strings.TrimSpace(singular))
		}
		if a < minAlpha || a > maxAlpha {
			return nil, fmt.Errorf("α of a Dirichlet distribution must be in [%g, %g], got %g", minAlpha, maxAlpha, a)
		}
		alpha = append(alpha, a)
	}
	return alpha, nil
}

func parseInterval(text string) (Interval, error) {
	text = strings.TrimSpace(text)
	if text == "any" {
		return Interval{Any: true}, nil
	}
	from, end, ok := strings.Cut(text, "..")
	if !ok {
		return Interval{}, fmt.Errorf("a side of a box must be from..to or any, got %q", text)
	}
	a, errA := ParseBound(from)
	b, errB := ParseBound(end)
	switch {
	case errA != nil:
		return Interval{}, errA
	case errB != nil:
		return Interval{}, errB
	case a.Percent == b.Percent && a.Value > b.Value:
		return Interval{}, fmt.Errorf("a side of a box must go from the smaller to the larger value, got %s to %s",
			a, b)
	case a.Percent == b.Percent && a.Value == b.Value:
		return Interval{}, fmt.Errorf("a side of a box from %s to %s is empty", a, b)
	}
	return Interval{From: a, To: b}, nil
}

// ParseBound reads a value, "-80", or a percentage of the frozen range, "60%".
func ParseBound(text string) (Bound, error) {
	text = strings.TrimSpace(text)
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return Bound{}, fmt.Errorf("%q is not a value: use a number or a percentage of the range such as 60%%", text)
	}
	return Bound{v, percent}, nil
}

func sortedNames(m map[string]string) []string {
	names := slices.Collect(maps.Keys(m))
	slices.Sort(names)
	return names
}
