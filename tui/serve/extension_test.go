package serve

import (
	"bandscope/tui/extension"
	"bandscope/tui/labs"
	"bandscope/tui/studypage"
)

func init() { extension.Use([]extension.Extension{labs.Extension, studypage.Extension}) }
