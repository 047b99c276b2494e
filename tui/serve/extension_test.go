package serve

import (
	"bandscope/tui/extension"
	"bandscope/tui/study"
	"bandscope/tui/training"
)

func init() { extension.Use([]extension.Extension{training.Extension, study.Extension}) }
