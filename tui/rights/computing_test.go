package rights

import "testing"

// A limit that ends at once finds the timer in place.
func TestLimitThatEndsAtOnce(t *testing.T) {
	for range 2000 {
		c := NewComputing(0, make(Places, 1))
		end, err := c.begin(t.Context())
		if err == nil {
			end()
			t.Fatal("a computation begins without time")
		}
	}
}
