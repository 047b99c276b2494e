// Package widget holds what the screens share: what a screen is (Page), what it wants of the window (Action), a key
// with what it does and why it cannot (Command), the status line that speaks and asks (Status), jobs off the update
// loop, the pace of steps, panels, and text that is fitted into columns. A key press goes in and, by the table of a
// screen's commands, becomes a change of the screen, a job, or an action, which the window does. It knows no screen,
// draws no plot and computes nothing.
package widget
