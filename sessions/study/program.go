package study

import (
	"strings"

	"bandscope/functions"
	"bandscope/functions/external"
	"bandscope/optimizers/program"
)

// MethodName is the name of the method of an entry, without its parameters.
func MethodName(method string) string {
	e, err := readEntry(method)
	if err != nil {
		return method
	}
	return e.name
}

// NeedsFlag is the flag that allows the program which the method of the cell is, in a study with some files of yours;
// empty if the method is no program, or if this process may start it.
func (c Cell) NeedsFlag(ownFiles ...OwnFile) string {
	if !strings.Contains(c.Method, program.Prefix) {
		return ""
	}
	name := MethodName(c.Method)
	d := findProgram(ownFiles, name)
	if d == nil && program.IsName(name) {
		d, _ = program.FromName(name) // the session reports the error
	}
	if d == nil {
		return ""
	}
	if _, ok := external.Allowed(d.Command); ok {
		return ""
	}
	return "--allow-exec " + functions.ShellWord(program.Prefix+d.Command)
}
