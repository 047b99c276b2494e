package screen

import "charm.land/bubbles/v2/key"

// Group is a heading with the bindings under it; help is made from groups, so that it can never fall behind the keys.
type Group struct {
	Title    string
	Bindings []key.Binding
}

// Bind declares a key with its help: the keys as they are shown, what they do, and the key names that trigger it.
func Bind(shown, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}
