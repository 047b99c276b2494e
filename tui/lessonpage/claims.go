package lessonpage

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions/didyoumean"
	"bandscope/sessions"
)

// FalseClaim is a false claim of a page.
type FalseClaim struct {
	Page  int    // from 1
	Title string // of the page
	Claim string
	Why   string
}

// Width and Height are the window of claims: the smallest that the explorer supports.
const Width, Height = 80, 24

// Check measures the claims of all pages, and returns their number and the false ones. The position in the session does
// not change.
func Check(ctx context.Context, s *sessions.Session, progress sessions.Progress) (checked int, broken []FalseClaim,
	err error) {
	position := s.Timeline().At
	defer s.GoTo(position)
	var before *claimPage
	places := s.Timeline().Stops
	for i, place := range places {
		if progress != nil {
			progress("checking pages", i, len(places))
		}
		s.GoTo(i)
		p, err := turnTo(ctx, s, before)
		if err != nil {
			return checked, broken, fmt.Errorf("page %d: %w", i+1, err)
		}
		if place.Note != "" {
			for _, claim := range p.state.LastNote().Claims {
				checked++
				if err := p.check(claim); err != nil {
					broken = append(broken, FalseClaim{i + 1, place.Note, claim, err.Error()})
				}
			}
			broken = append(broken, p.brokenAxes(i+1, place.Note)...)
		}
		before = p
	}
	return checked, broken, nil
}

// quantities are all quantities by name.
var quantities = mergeQuantities(commonQuantities, lineQuantities, planeQuantities, foundationQuantities,
	networkQuantities, frontQuantities, objectiveQuantities, practiceQuantities)

// mergeQuantities merges maps; it panics if a name is in two of them.
func mergeQuantities(quantities ...map[string]quantity) map[string]quantity {
	all := map[string]quantity{}
	for _, m := range quantities {
		for name, q := range m {
			if _, twice := all[name]; twice {
				panic("claims: two quantities have the name " + name)
			}
			all[name] = q
		}
	}
	return all
}

func unknown(name string) error {
	return didyoumean.NewUnknownError("quantity", name, slices.Sorted(maps.Keys(quantities)))
}

// claim is a quantity, a comparison and a number.
type claim struct {
	name, operator string
	threshold      float64
}

// parse reads a claim.
func parse(text string) (c claim, err error) {
	words := strings.Fields(text)
	if len(words) != 3 {
		return c, fmt.Errorf("a claim is a quantity, one of = < > and a number, such as band > 2")
	}
	c = claim{name: words[0], operator: words[1]}
	if _, ok := quantities[c.name]; !ok {
		return c, unknown(c.name)
	}
	c.threshold, err = strconv.ParseFloat(words[2], 64)
	if err != nil {
		return c, fmt.Errorf("%q is not a number", words[2])
	}
	if !slices.Contains([]string{"=", "<", ">"}, c.operator) {
		return c, fmt.Errorf("the comparison %q must be one of = < >", c.operator)
	}
	return c, nil
}

// holds compares the measured value.
func (c claim) holds(got float64) bool {
	switch c.operator {
	case "=":
		return got == c.threshold
	case "<":
		return got < c.threshold
	}
	return got > c.threshold
}

// check measures the quantity of a claim.
func (p *claimPage) check(text string) error {
	c, err := parse(text)
	if err != nil {
		return err
	}
	got, err := p.measure(c.name)
	if err != nil {
		return err
	}
	if !c.holds(got) {
		return fmt.Errorf("%s is %.4g", c.name, got)
	}
	return nil
}
