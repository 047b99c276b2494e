package store

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"bandscope/sessions/sanitize"
)

// NameError is the error about a database's name that is neither a file nor a database of PostgreSQL. It does not
// repeat the name, which may hold a password.
type NameError struct{ Err error }

// Error says what is wrong, and what would be right.
func (e *NameError) Error() string {
	return e.Err.Error() + "; a database of PostgreSQL is postgres://user@host/database, with the password in " +
		"PGPASSWORD or ~/.pgpass, and a file is a path such as ./studies.db"
}

// Unwrap is what is wrong.
func (e *NameError) Unwrap() error { return e.Err }

var (
	serverURL = regexp.MustCompile(`(?i)^(postgres(?:ql)?)://`)
	// keywords are those of libpq's connection strings that one may begin with.
	keywords = regexp.MustCompile(
		`^(?:host|hostaddr|port|dbname|database|user|password|passfile|service|servicefile|sslmode|sslrootcert|connect_timeout|application_name|target_session_attrs)\s*=`)
	anyURL = regexp.MustCompile(`(?i)^([a-z][a-z0-9+.-]+):/`) // one letter is a drive
	path   = regexp.MustCompile(`^(?:\.{0,2}/|\.{1,2}\\)`)
)

// connection takes a database's name: a URL of PostgreSQL, in whatever letters its scheme is written, or a connection
// string of libpq, as pgx takes it; empty for the path of a file. The error is *NameError about what looks like either
// and is neither, so that no file is made of a name with a password.
func connection(name string) (string, error) {
	trimmed := strings.TrimSpace(name)
	switch scheme := anyURL.FindStringSubmatch(trimmed); {
	case path.MatchString(name):
		return "", nil
	case serverURL.MatchString(trimmed):
		trimmed = serverURL.ReplaceAllStringFunc(trimmed, strings.ToLower)
		if u, err := url.Parse(trimmed); err == nil && u.User == nil && strings.Contains(trimmed, "@") {
			return "", &NameError{errors.New("the user or the password in the URL of --db has a character that must " +
				"be " +
				"written as % and its code, such as %23 for # and %40 for @")}
		}
		return trimmed, nil
	case keywords.MatchString(trimmed):
		return trimmed, nil
	case scheme != nil && strings.HasPrefix(strings.ToLower(scheme[1]), "postgres"):
		return "", &NameError{errors.New("the URL of --db begins with " + sanitize.Text(scheme[1]) +
			":/ and must begin with postgres://")}
	case scheme != nil:
		return "", &NameError{fmt.Errorf("--db is a URL of %s, which keeps no studies", sanitize.Text(scheme[1]))}
	case sanitize.Redact(trimmed) != trimmed:
		return "", &NameError{errors.New("--db looks like a password or the address of a database")}
	}
	return "", nil
}

// poolConfig reads what connection took. An error of pgx may repeat a part of a password that was written wrongly, so
// it is repeated only where there can be none.
func poolConfig(name string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(name)
	if err == nil {
		return config, nil
	}
	if _, wrong := url.Parse(name); wrong != nil || sanitize.Redact(name) != name {
		err = errors.New("the port must be a number, and a character such as %, # or @ of the user or the password " +
			"must be written as % and its code: %25, %23, %40")
	}
	return nil, &OpenError{"the database of --db", err}
}

// displayName is a name of a database as messages tell it.
func displayName(config *pgxpool.Config) string {
	at := config.ConnConfig
	return fmt.Sprintf("postgres://%s/%s", cmp.Or(at.Host, "localhost"), at.Database)
}
