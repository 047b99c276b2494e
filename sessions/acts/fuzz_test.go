package acts

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Whatever the arguments are, they are decoded or refused with a sentence; decoding the result again changes nothing.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{`{}`, ``, `null`, `{"point":"7.2","values":{"f":1e300},"at":{"x":"a"}}`,
		`{"box":{"f":"60%..80%"},"prefer":[1,"2.1"]}`, `{"parameters":{"gamma":true,"kernel":"se"}}`,
		`{"narrow":{"x":[1,2],"y":"free","z":"1..2,0.5"}}`, `{"objective":{"name":"f","range":"0,1","noise":"none"}}`, `{"prefer":"3:7"}`, `{"plate":{"size":"8x12"}}`,
		`{"inputs":[{"x":1}],"quantiles":[0.5]}`} {
		for n := range All() {
			f.Add(n, text)
		}
	}
	list := All()
	f.Fuzz(func(t *testing.T, n int, text string) {
		a := list[uint(n)%uint(len(list))]
		args := reflect.New(a.arguments)
		if err := decode(json.RawMessage(text), a.schemas(), args.Interface()); err != nil {
			assert.NotEqual(t, "", err.Error(), "%s %s: an error without a text", a.Name, text)
			return
		}
		again, err := json.Marshal(args.Interface())
		if err == nil {
			err = decode(again, a.schemas(), reflect.New(a.arguments).Interface())
		}
		assert.NoError(t, err, "%s: %s becomes %s, which is not decoded", a.Name, text, again)
	})
}
