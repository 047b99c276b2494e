package cli

import (
	"errors"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagValues says what a flag takes, by the type of its value.
var flagValues = map[string]string{
	"bool":         "true or false",
	"duration":     "a duration, such as 90s or 2h",
	"float64":      "a number",
	"float64Slice": "numbers separated by commas",
	"int":          "a whole number",
	"intSlice":     "whole numbers separated by commas",
	"uint64":       "a whole number of at least 0",
	"name":         "the number of a point or a step, such as 7, or 7.2 in a batch",
	"pair":         "two steps, such as 3:7",
	"bound":        "a number, or none",
	"range":        "two numbers, such as 0,10, or none",
	"platesize":    "ROWSxCOLUMNS, up to 32x48, such as 8x12",
}

// flagError puts the errors of pflag about a command line in plain words: the flag, what it takes, and the value.
func flagError(c *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &value) && flagValues[value.GetFlag().Value.Type()] == "":
		return usagef("%s: %w", flagName(value.GetFlag()), errors.Unwrap(value))
	case errors.As(err, &value):
		return usagef("%s must be %s, got %q", flagName(value.GetFlag()), flagValue(value), value.GetValue())
	case errors.As(err, &missing):
		return usagef("%s needs a value", flagName(missing.GetFlag()))
	}
	if !c.HasParent() {
		return usagef("%w; bandscope open --help lists the flags", err)
	}
	return usagef("%w; %s --help lists the flags", err, c.CommandPath())
}

// flagName is a flag as it is typed, in both ways if it has two.
func flagName(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand + " (--" + f.Name + ")"
	}
	return "--" + f.Name
}

// flagValue says which value a flag takes that got another one.
func flagValue(err *pflag.InvalidValueError) string {
	subject := flagValues[err.GetFlag().Value.Type()]
	if errors.Is(err, strconv.ErrRange) {
		return subject + " that is not too large"
	}
	return subject
}
