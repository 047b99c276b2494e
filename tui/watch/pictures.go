package watch

import (
	"bandscope/sessions/lab"
	"bandscope/tui/watch/columns"
	"bandscope/tui/watch/flops"
	"bandscope/tui/watch/picture"
	"bandscope/tui/watch/tree"
)

// pictures make the pictures of the labs that have one of their own, by the labs' names.
var pictures = map[string]func() picture.Picture{"flops": flops.New, "hierarchy": tree.New}

// pictureOf makes the picture of a lab.
func pictureOf(l *lab.Lab) picture.Picture {
	if own, ok := pictures[l.Name]; ok {
		return own()
	}
	return columns.New()
}
