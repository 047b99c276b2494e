// Package house tests the shape of the whole module, which no room can test for itself: which room imports which, that
// methods are asked by what they declare and not by name, and that what the guide for contributors says of adding to
// the program is true. It holds tests alone: nothing imports it, and data flow through it nowhere.
package house
