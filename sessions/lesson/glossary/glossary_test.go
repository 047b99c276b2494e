package glossary

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/functions/didyoumean"
)

// Every term has words, a source, related terms and a place where it is seen, in sentences that can be read, and all of
// it has a form in plain characters.
func TestTermsAreWhole(t *testing.T) {
	names := map[string]string{}
	for _, term := range All() {
		if term.Definition == "" || term.Source == "" || len(term.Related) == 0 || len(term.See) == 0 {
			t.Errorf("%s lacks words, a source, related terms or a place", term.Name)
		}
		sentences := strings.Split(strings.TrimSuffix(term.Definition, "."), ". ")
		if len(sentences) > 3 || !strings.HasSuffix(term.Definition, ".") {
			t.Errorf("%s has %d sentences, want one to three: %s", term.Name, len(sentences), term.Definition)
		}
		for _, s := range sentences {
			if n := len(strings.Fields(s)); n > 60 || s == sentences[0] && n > 32 {
				t.Errorf("a sentence of %s has %d words: %s", term.Name, n, s)
			}
		}
		for _, name := range append([]string{term.Name}, term.Synonyms...) {
			if other, known := names[normalize(name)]; known {
				t.Errorf("%q is a name of %s and of %s", name, other, term.Name)
			}
			names[normalize(name)] = term.Name
			if found, err := Find(strings.ToUpper(Plain(name))); err != nil || found.Name != term.Name {
				t.Errorf("%q finds %q, %v", Plain(name), found.Name, err)
			}
		}
		text := term.Name + term.Definition + term.Formula + term.Source + strings.Join(term.Synonyms, "")
		for _, s := range term.See {
			text += s.Command + s.Key + s.Where + s.Shows
		}
		for _, r := range Plain(text) {
			if r > 126 || r < ' ' {
				t.Errorf("%s has %q, for which there is no plain form", term.Name, r)
			}
		}
		for _, other := range term.Related {
			if found, err := Find(other); err != nil || found.Name != other || other == term.Name {
				t.Errorf("%s is related to %q: %v", term.Name, other, err)
			}
		}
	}
	if n := len(All()); n < 60 {
		t.Errorf("there are %d terms", n)
	}
	if !slices.IsSortedFunc(All(), func(a, b Term) int {
		return strings.Compare(normalize(a.Name), normalize(b.Name))
	}) {
		t.Error("terms are not sorted")
	}
}

// What people type finds the term that they mean, or one that is near.
func TestFind(t *testing.T) {
	for typed, want := range map[string]string{
		"gp": "Gaussian process", "γ": "γ", "gamma": "γ", "Pareto-Front": "Pareto front", "lengthscale": "lengthscale",
		"length-scale": "lengthscale",
		"ids":          "information-directed sampling", "matern": "Matérn", "trained": "network band", "nngp": "NNGP",
		"sobol index": "Sobol' index", "lambda": "weights", "Prop. 1": "Proposition 1"} {
		if got, err := Find(typed); err != nil || got.Name != want {
			t.Errorf("%q finds %q, want %q: %v", typed, got.Name, want, err)
		}
	}
	if _, err := Find("hypervolum"); err == nil || !strings.Contains(err.Error(), "did you mean hypervolume") {
		t.Error(err)
	}
	if _, err := Find("qqqqqqqqqqqq"); err == nil ||
		strings.Contains(err.Error(), didyoumean.NewUnknownError("term", "x", nil).Error()) {
		t.Error(err)
	}
}

// All words have to stand somewhere in a term, and terms that are called so come first.
func TestSearch(t *testing.T) {
	found := Search("EHVI hypervolume")
	if len(found) == 0 || found[0].Name != "EHVI" {
		t.Errorf("found %v", found)
	}
	if found := Search("sigma rasmussen NOISE"); !slices.ContainsFunc(found, func(t Term) bool {
		return t.Name == "noise"
	}) {
		t.Errorf("found %v", found)
	}
	assert.Nil(t, Search("posterior qqqq"), "found")
	assert.Nil(t, Search(" "), "found")
}

// A text that is not written as terms are is refused.
func TestParseRefuses(t *testing.T) {
	for _, block := range []string{"a\nsee: bandscope", "a\nsee: key x — what it does", "a\nOne.\nAnother."} {
		if term, err := parse(block); err == nil {
			t.Errorf("%q is %v", block, term)
		}
	}
}

// Every publication that a source names has an address, or is known to have none that is certain; every address is one
// of a publisher or of a register of publications, and of a publication that a source names.
func TestLinks(t *testing.T) {
	unknown := []string{"Paria 2022", "Paria et al. 2022", "Nadigatla 2022", "Sobol' 1993", "Nemenyi 1963",
		"Auger & Hansen 2005", "Matthews et al. 2017", "Rahimi & Recht 2007", "Casella & Berger 2002"}
	named := map[string]bool{}
	cited := regexp.MustCompile(`\p{Lu}[\pL'-]*((, | & | | Van | et al\. )\p{Lu}?[\pL'.-]*)*? \d{4}`)
	for _, term := range All() {
		for _, name := range cited.FindAllString(term.Source, -1) {
			named[name] = true
			index := slices.IndexFunc(term.Links, func(l Link) bool { return l.Text == name })
			if (index < 0) != slices.Contains(unknown, name) {
				t.Errorf("%s: the source %q has the links %v", term.Name, name, term.Links)
			}
		}
	}
	for _, l := range publications() {
		id := regexp.MustCompile(`^https://(doi\.org/10\.\d{4,9}/\S+|arxiv\.org/abs/\d{4}\.\d{4,5}|` +
			`(www\.)?jmlr\.org/papers/v\d+/\w+\.html|papers\.nips\.cc/paper/\d+-[a-z-]+|` +
			`proceedings\.mlr\.press/v\d+/\w+\.html|www\.jstor\.org/stable/\d+)$`)
		if !id.MatchString(l.URL) || !named[l.Text] {
			t.Errorf("the address of %q, which a source names: %v, is %q", l.Text, named[l.Text], l.URL)
		}
	}
}

// The terms of a text are found by their names and synonyms, in the plural too, the longest name first, once each, in
// the order of their use; words with an ordinary sense are none.
func TestTermsOfAText(t *testing.T) {
	var names []string
	for _, term := range In("Samples of the GP prior; the width of its bands. A prior over weights is no prior.") {
		names = append(names, term.Name)
	}
	want := []string{"sample", "Gaussian process", "prior", "band", "prior over weights"}
	if !slices.Equal(names, want) {
		t.Errorf("the terms are %q, want %q", names, want)
	}
}
