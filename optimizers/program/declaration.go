// Package program makes methods of programs: a declaration, or a command alone, becomes an optimizers.Spec whose
// suggestions, and where it can predict also its beliefs, come from another process that speaks lines of JSON (the guide
// own-optimizer describes them). Inputs of a method become lines, and answers become suggestions and bands in the unit
// cube; every fault of an answer is an error. Processes are the talker's to start, and whether one may be started is
// the command line's to say: without it, such a method has the belief of one of the program's own, and suggests
// nothing.
package program

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"bandscope/functions/external"
	"bandscope/functions/tomlfile"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// Prefix is how the names of methods begin that are programs: "exec:python cma.py".
const Prefix = "exec:"

// Bounds of a declaration.
const (
	MaxFile   = 64 << 10 // bytes of a file
	maxParams = 50
	maxText   = 500 // characters of a text
)

// The abilities that a program can have beyond suggesting one point at a time.
const (
	CanBatch       = "batch"       // answers with several points
	CanPending     = "pending"     // takes pending points into account
	CanPredict     = "predict"     // has a mean and a standard deviation
	CanSample      = "sample"      // draws functions
	CanAcquisition = "acquisition" // has an acquisition function; higher is better
)

var abilities = []string{CanBatch, CanPending, CanPredict, CanSample, CanAcquisition}

// Declaration says which program a method is. It is data: a session records it, and nothing is started by it.
type Declaration struct {
	Name    string       `json:"name" toml:"name"`       // of the method, after the prefix
	Command string       `json:"command" toml:"command"` // in the form of external.Canonical
	About   string       `json:"about,omitempty" toml:"about"`
	Source  string       `json:"source,omitempty" toml:"source"`
	Can     []string     `json:"can,omitempty" toml:"can"` // what the program must be able to do
	Params  []param.Decl `json:"params,omitempty" toml:"-"`
}

// UnmarshalJSON reads a declaration from a session, and checks it.
func (d *Declaration) UnmarshalJSON(text []byte) error {
	type plain Declaration
	if err := json.Unmarshal(text, (*plain)(d)); err != nil {
		return err
	}
	if err := d.Check(); err != nil {
		return fmt.Errorf("the program of the session: %w", err)
	}
	return nil
}

// IsName reports whether a name is one of a method that is a program.
func IsName(name string) bool { return strings.HasPrefix(name, Prefix) }

// MethodName is the name of the method.
func (d *Declaration) MethodName() string { return Prefix + d.Name }

// FromName is the declaration of a method that is named by its command alone: "exec:python cma.py".
func FromName(name string) (*Declaration, error) {
	command, err := external.Canonical(strings.TrimPrefix(name, Prefix))
	if err != nil {
		return nil, fmt.Errorf("-o %s: %w", Prefix+"COMMAND", err)
	}
	return &Declaration{Name: command, Command: command}, nil
}

// file is a declaration as a TOML file has it.
type file struct {
	Declaration
	Timeout string `toml:"timeout"`
	Param   []struct {
		Key     string   `toml:"key"`
		Label   string   `toml:"label"`
		Help    string   `toml:"help"`
		Kind    string   `toml:"kind"`
		Default any      `toml:"default"`
		Min     float64  `toml:"min"`
		Max     float64  `toml:"max"`
		Log     bool     `toml:"log"`
		Unit    string   `toml:"unit"`
		Choices []string `toml:"choices"`
	} `toml:"parameter"`
}

// Parse reads the declaration in a TOML file, and the timeout of an answer, 0 if it names none.
func Parse(text []byte) (*Declaration, time.Duration, error) {
	var f file
	var faults tomlfile.Faults
	_, faults.List = tomlfile.Decode(text, &f)
	if err := faults.ErrorOrNil(); err != nil {
		return nil, 0, err
	}
	d := f.Declaration
	command, err := external.Canonical(d.Command)
	if err != nil {
		return nil, 0, err
	}
	d.Command = command
	for _, p := range f.Param {
		v := p.Default
		if i, ok := v.(int64); ok {
			v = float64(i)
		}
		if p.Label == "" {
			p.Label = p.Key
		}
		if p.Help == "" {
			p.Help = "A parameter of the program."
		}
		d.Params = append(d.Params, param.Decl{Key: p.Key, Label: p.Label, Help: p.Help, Kind: param.Kind(p.Kind), Default: v,
			Min: p.Min, Max: p.Max, Log: p.Log, Unit: p.Unit, Choices: p.Choices})
	}
	timeout := time.Duration(0)
	if f.Timeout != "" {
		timeout, err = time.ParseDuration(f.Timeout)
		if err != nil || timeout <= 0 {
			return nil, 0, fmt.Errorf("timeout must be a duration above 0, such as 90s or 10m, got %q", f.Timeout)
		}
	}
	return &d, timeout, d.Check()
}

var (
	validName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$`)
	validKey  = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)
)

// Check returns an error for an invalid declaration, such as one of a file that was edited by hand. Defaults are
// brought to the Go type of their kind.
func (d *Declaration) Check() error {
	if canonical, err := external.Canonical(d.Command); err != nil {
		return err
	} else if canonical != d.Command {
		return fmt.Errorf("the command %q is not written as %q", d.Command, canonical)
	}
	if d.Name != d.Command && !validName.MatchString(d.Name) {
		return fmt.Errorf("name must have 1 to 40 letters, digits, dots, hyphens or underscores, got %q", d.Name)
	}
	for name, text := range map[string]string{"about": d.About, "source": d.Source} {
		if err := checkText(name, text); err != nil {
			return err
		}
	}
	for _, c := range d.Can {
		if !slices.Contains(abilities, c) {
			return fmt.Errorf("can must list some of %s, got %q", strings.Join(abilities, ", "), c)
		}
	}
	if len(d.Params) > maxParams {
		return fmt.Errorf("a method must have at most %d parameters, got %d", maxParams, len(d.Params))
	}
	seen := []string{search.RepeatsParam().Key}
	for i := range d.Params {
		p := &d.Params[i]
		if slices.Contains(seen, p.Key) {
			return fmt.Errorf("two parameters are called %s", p.Key)
		}
		seen = append(seen, p.Key)
		if err := checkParam(p); err != nil {
			return err
		}
	}
	return nil
}

// checkParam checks a parameter, and completes it.
func checkParam(p *param.Decl) error {
	if !validKey.MatchString(p.Key) {
		return fmt.Errorf("the key of a parameter must have lowercase letters, digits and underscores, got %q", p.Key)
	}
	p.Source = "the program"
	for name, text := range map[string]string{"label": p.Label, "help": p.Help, "unit": p.Unit,
		"choices": strings.Join(p.Choices, " ")} {
		if err := checkText("the "+name+" of "+p.Key, text); err != nil {
			return err
		}
	}
	switch p.Kind {
	case param.Number, param.Integer:
		if !(p.Min < p.Max) || p.Log && !(p.Min > 0) {
			return fmt.Errorf("%s needs min and max, with min less than max, and above 0 if it is logarithmic", p.Key)
		}
	case param.Switch:
	case param.Choice:
		if len(p.Choices) == 0 {
			return fmt.Errorf("%s needs choices", p.Key)
		}
	case param.Text:
		p.Validate = func(text string) error { return checkText(p.Key, text) }
	default:
		return fmt.Errorf("the kind of %s must be number, integer, switch, choice or text, got %q", p.Key, p.Kind)
	}
	v, err := p.Check(p.Default)
	if err != nil {
		return fmt.Errorf("the default of %w", err)
	}
	p.Default = v
	return nil
}

// checkText returns an error for a text that is too long, or that cannot be shown as it is.
func checkText(subject, text string) error {
	switch {
	case utf8.RuneCountInString(text) > maxText:
		return fmt.Errorf("%s must have at most %d characters", subject, maxText)
	case !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) }):
		return fmt.Errorf("%s must be one line of characters that can be shown, got %q", subject, text)
	}
	return nil
}
