package optimizers

// FitStore keeps what fits found, for other processes: the hyperparameters that later fits start from. The key
// identifies everything that a fit depends on, also how this build of the program rounds, so that stored values equal
// those of a new fit to the last bit. A store may forget anything at any time: time depends on it, suggestions do not.
// It is safe for concurrent use.
type FitStore interface {
	// Load returns the values with a key, which must not be changed, and whether there are any.
	Load(key string) (values []float64, ok bool)
	// Save keeps values with a key. They must not be changed afterwards.
	Save(key string, values []float64)
}
