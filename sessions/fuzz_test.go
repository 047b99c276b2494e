package sessions

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/recorder"
)

func FuzzOpen(f *testing.F) {
	log, _ := realLog(f)
	f.Add(log)
	f.Add(log[:len(log)/2])
	f.Add([]byte("{}\n"))
	f.Add(bytes.Replace(log, []byte("observed"), []byte("suggested"), 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		require.NoError(t, os.WriteFile(path, data, 0o600))
		s, err := Open(t.Context(), path)
		if err != nil {
			return
		}
		st := s.State()
		st.Input()
		s.First()
		s.Last()
		s.Close()
	})
}

// FuzzApply feeds events with right ids and wrong contents: the fold may refuse them, never fail.
func FuzzApply(f *testing.F) {
	f.Add("suggested", `{"x":[[0.5]],"source":"random","seconds":0}`, "observed", `{"y":[["NaN"]],"truth":[[1]]}`)
	f.Add("edited", `{"key":"design","value":"uniform"}`, "noted", `{"text":"x"}`)
	f.Add("suggested", `{"x":[[0.5]],"source":"random","seconds":0}`, "rejected", `{"reason":"x"}`)
	f.Add("bounded", `{"variable":"x","low":0.1,"high":0.1}`, "forked",
		`{"name":"a","optimizer":"random","params":{"design":"lhs"}}`)
	f.Add("corrected", `{"step":1,"point":0,"y":[1],"old":[2]}`, "noted", `{"text":"","mark":true,"ask":true}`)
	f.Add("observed", `{}`, "suggested", `{"x":[[]]}`)
	f.Fuzz(func(t *testing.T, kind1, data1, kind2, data2 string) {
		s := start(t, Config{Problem: "forrester", Optimizer: "random"})
		for _, e := range [][2]string{{kind1, data1}, {kind2, data2}} {
			if !json.Valid([]byte(e[1])) {
				return
			}
			s.rec.Act(func() ([]recorder.Entry, error) {
				return []recorder.Entry{{Kind: e[0], Data: json.RawMessage(e[1])}}, nil
			})
		}
		s.State().Input()
		s.Timeline()
		if list, err := s.Branches(); err == nil {
			for _, b := range list {
				_, err = s.Decisions(b.ID)
				assert.NoError(t, err)
			}
		}
		s.First()
	})
}
