package sanitize

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRedacted(t *testing.T) {
	for text, want := range map[string]string{
		"postgres://u:PW@h/db":                             "postgres://u:***@h/db",
		"open Postgres://u:P/W@x@h/db: no such file":       "open Postgres://u:***@h/db: no such file",
		"postgres://u:P W's \"@h/db":                       "postgres://u:***@h/db",
		"postgresql:/u:PW@h":                               "postgresql:***@h",
		"stat postgres://u:12PW /db: no such file":         "stat postgres://u:*** /db: no such file",
		"https://host:8080/a, postgres://h:5432/db":        "https://host:8080/a, postgres://h:5432/db",
		"mysql://:PW@h":                                    "mysql://:***@h",
		"u:PW@h/db":                                        "u:***@h/db",
		`"host=h password=PW user=u"`:                      `"host=h password=*** user=u"`,
		`host=h password = 'P W\' x' user=u`:               `host=h password = *** user=u`,
		"PGPASSWORD=PW bandscope":                          "PGPASSWORD=*** bandscope",
		"pgpassword='PW":                                   "pgpassword=***",
		"postgres://h/db?user=u&password=PW&sslmode=off":   "postgres://h/db?user=u&password=***&sslmode=off",
		`{"user":"u","password":"P\"W"}`:                   `{"user":"u","password":"***"}`,
		"sslpassword=PW, token=PW, api_key=PW, passwd=PW.": "sslpassword=*** token=*** api_key=*** passwd=***",
		"postgres://u@h/db":                                "postgres://u@h/db",
		"postgres://bandscope@/postgres?host=/tmp/x":       "postgres://bandscope@/postgres?host=/tmp/x",
		"the password is in PGPASSWORD or ~/.pgpass":       "the password is in PGPASSWORD or ~/.pgpass",
		"password authentication failed for user \"u\"":    "password authentication failed for user \"u\"",
		"--set kernel=se, x1=0.5: at 12:30 a@b.c":          "--set kernel=se, x1=0.5: at 12:30 a@b.c",
		"/home/me/studies/small.db":                        "/home/me/studies/small.db",
		"git@github.com:a/b":                               "git@github.com:a/b",
	} {
		assert.Equal(t, want, Redact(text), "%s becomes", text)
		if got := Redact(text); strings.Contains(got, "PW") || Redact(got) != got {
			t.Errorf("%s becomes %s, and then %s", text, got, Redact(got))
		}
	}
}
