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

// Error says why the name is not valid, and gives valid ones.
func (e *NameError) Error() string {
	return e.Err.Error() + "; use postgres://user@host/database for PostgreSQL, with the password in PGPASSWORD or ~/.pgpass, or the path of a file, such as ./studies.db"
}

// Unwrap is the reason.
func (e *NameError) Unwrap() error { return e.Err }

var (
	serverURL = regexp.MustCompile(`(?i)^(postgres(?:ql)?)://`)
	// keywords are those of libpq's connection strings that one may begin with.
	keywords = regexp.MustCompile(
		`^(?:host|hostaddr|port|dbname|database|user|password|passfile|service|servicefile|sslmode|sslrootcert|connect_timeout|application_name|target_session_attrs)\s*=`)
	anyURL = regexp.MustCompile(`(?i)^([a-z][a-z0-9+.-]+):/`) // one letter is a drive
	path   = regexp.MustCompile(`^(?:\.{0,2}/|\.{1,2}\\)`)
)

// connection turns a database's name into a connection string for pgx: from a URL of PostgreSQL, in lower or upper
// case, or a connection string of libpq; empty for the path of a file. The error is *NameError for a name that looks
// like either and is neither, so that no file gets a name with a password.
func connection(name string) (string, error) {
	trimmed := strings.TrimSpace(name)
	switch scheme := anyURL.FindStringSubmatch(trimmed); {
	case path.MatchString(name):
		return "", nil
	case serverURL.MatchString(trimmed):
		trimmed = serverURL.ReplaceAllStringFunc(trimmed, strings.ToLower)
		if u, err := url.Parse(trimmed); err == nil && u.User == nil && strings.Contains(trimmed, "@") {
			return "", &NameError{errors.New("the user or the password in the URL of --db has a character that must be written as % and its code, such as %23 for # and %40 for @")}
		}
		return trimmed, nil
	case keywords.MatchString(trimmed):
		return trimmed, nil
	case scheme != nil && strings.HasPrefix(strings.ToLower(scheme[1]), "postgres"):
		return "", &NameError{errors.New("the URL of --db begins with " + sanitize.Text(scheme[1]) +
			":/ but must begin with postgres://")}
	case scheme != nil:
		return "", &NameError{fmt.Errorf("--db is a URL of %s, which cannot store studies", sanitize.Text(scheme[1]))}
	case sanitize.Redact(trimmed) != trimmed:
		return "", &NameError{errors.New("--db looks like a password or the address of a database")}
	}
	return "", nil
}

// poolConfig parses a connection string. An error of pgx may repeat a part of a password that was written wrongly, so
// it is repeated only if there can be none.
func poolConfig(name string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(name)
	if err == nil {
		return config, nil
	}
	if _, wrong := url.Parse(name); wrong != nil || sanitize.Redact(name) != name {
		err = errors.New("the port must be a number, and a character such as %, # or @ of the user or the password must be written as % and its code: %25, %23, %40")
	}
	return nil, &OpenError{"the database of --db", err}
}

// displayName is a name of a database for messages.
func displayName(config *pgxpool.Config) string {
	position := config.ConnConfig
	return fmt.Sprintf("postgres://%s/%s", cmp.Or(position.Host, "localhost"), position.Database)
}
