// Package widget has the parts that the screens share: the interface of a screen (Page), its requests to the window
// (Action), a key with what it does and why it cannot (Command), the status line with its prompt (Status), jobs off the
// update loop, the pace of steps, panels, and text that is fitted into columns. A key press becomes, by the table of a
// screen's commands, a change of the screen, a job, or an action, which the window does. It knows no screen, draws no
// plot and computes nothing.
package widget
