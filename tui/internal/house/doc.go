// Package house tests rules of the whole module: which package imports which, that methods are selected by what they
// declare and not by name, that the names and words follow the style of the project, and that the recipes in the guide
// for contributors work. It contains only tests, and nothing imports it.
package house
