package store

import (
	"errors"
	"testing"

	"bandscope/sessions/sanitize"
)

// A name is a file, a database of PostgreSQL, or refused: no file is made of what was meant as a database.
func TestConnection(t *testing.T) {
	for name, want := range map[string]string{
		"small.db": "", "./u:pw@h": "", "../host=x password=y": "", "/tmp/a:b@c": "", `C:\studies\small.db`: "",
		"C:/studies/small.db": "", "a study, 50% of it?.db": "", "x=y.db": "",
		"postgres://u:pw@h/db": "postgres://u:pw@h/db", "Postgres://u:pW@H/db": "postgres://u:pW@H/db",
		"POSTGRESQL://h/DB": "postgresql://h/DB", " \tpostgres://h/db\n": "postgres://h/db",
		"host=h password=pw": "host=h password=pw", "user = u host=h": "user = u host=h",
		"password='p w' host=h": "password='p w' host=h",
	} {
		if got, err := connection(name); got != want || err != nil {
			t.Errorf("%q: %q, %v; want %q", name, got, err, want)
		}
	}
	for _, name := range []string{
		"postgresql:/u:PW@h/db", "postgres:u:PW@h/db", "mysql://u:PW@h/db", "sqlite:///PW.db", "https://PW",
		"pgpassword=PW", "PGPASSWORD=PW postgres://h/db", "u:PW@h/db",
		"postgre://u:PW@h", "Password=PW", "postgres://u:1#PW@h/db", "jdbc:postgresql://u:PW@h/db"} {
		got, err := connection(name)
		if !errors.As(err, new(*NameError)) {
			t.Errorf("%q: %q, %v", name, got, err)
			continue
		}
		if text := err.Error(); sanitize.Redact(text) != text || len(text) > 300 {
			t.Errorf("%q: %s", name, text)
		}
	}
}
