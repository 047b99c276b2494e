package labs

import (
	"bandscope/tui/labs/hierarchyview"
	"bandscope/tui/labs/panel"
	"bandscope/tui/labs/retrievalview"
)

// pictures are the constructors of the pictures of labs, by the labs' names.
var pictures = map[string]func() panel.Picture{"flops": retrievalview.New, "hierarchy": hierarchyview.New}
