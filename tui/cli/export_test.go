package cli

import "testing"

// The ending of the file decides the format, a flag must agree with it, and nothing is guessed.
func TestExportFormat(t *testing.T) {
	for _, c := range []struct{ flag, file, format, err string }{
		{"", "", "csv", ""},
		{"json", "", "json", ""},
		{"", "a/b.SVG", "svg", ""},
		{"html", "b.html", "html", ""},
		{"txt", "b.log", "txt", ""},
		{"csv", "b.svg", "", `--format csv does not fit the file "b.svg"; remove --format, or let the file end in .csv`},
		{"", "b.log", "", `the format of "b.log" is unknown; let the file end in one of .csv, .json, .txt, .svg, .html, ` +
			".cast, or add --format"},
		{"pdf", "b.svg", "", `--format must be one of csv, json, txt, svg, html, cast, got "pdf"`},
	} {
		format, err := exportFormat(c.flag, c.file)
		message := ""
		if err != nil {
			message = err.Error()
		}
		if format != c.format || message != c.err {
			t.Errorf("--format %q -o %q: %q, %q, want %q, %q", c.flag, c.file, format, message, c.format, c.err)
		}
	}
}
