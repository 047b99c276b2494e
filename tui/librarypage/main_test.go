package librarypage

import (
	"os"
	"testing"

	"github.com/adrg/xdg"
)

// The studies of whoever runs the tests are left alone: the data folder is an empty one.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "bandscope")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_DATA_HOME", dir)
	xdg.Reload()
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}
