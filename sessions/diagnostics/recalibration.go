package diagnostics

import (
	"context"
	"fmt"

	"bandscope/functions/lru"
	"bandscope/optimizers"
	"bandscope/optimizers/inspection"
	"bandscope/sessions"
)

// recalibrationKey is the key of a session's factors of bands.
type recalibrationKey struct{}

// DisplayedBelief is a belief of a state as it is drawn and reported: with recalibrated bands if the parameters say so.
// The factors are cached with the session. Callers that check for further interfaces use b.
func DisplayedBelief(ctx context.Context, st sessions.State, b optimizers.Belief,
	progress sessions.Progress) (optimizers.Belief, error) {
	in := st.Input()
	if !in.Recalibrates() {
		return b, nil
	}
	cached := st.Memoize(recalibrationKey{}, func() any {
		return lru.New[string](maxCached, func([]inspection.BandFactors) int { return 1 })
	}).(*lru.Cache[string, []inspection.BandFactors])
	key := fmt.Sprint(st.ModelID(), " ", st.Spec.Name, " ", st.Params.Changed())
	factors, ok := cached.Get(key)
	if !ok {
		in.Progress = progress
		var err error
		factors, err = inspection.Recalibrate(ctx, in, st.Spec.Fit, b)
		if err != nil {
			return nil, fmt.Errorf("recalibrating the band: %w", err)
		}
		cached.Put(key, factors)
	}
	if factors == nil {
		return b, nil
	}
	return inspection.Recalibrated{Belief: b, Factors: factors, Results: in.Data.Len()}, nil
}
