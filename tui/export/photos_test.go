package export

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// turned is a JPEG of w×h pixels, red at the left and blue at the right, with an orientation in Exif and a secret.
func turned(t *testing.T, w, h, orientation int) []byte {
	t.Helper()
	p := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{R: 255, A: 255}
			if x >= w/2 {
				c = color.RGBA{B: 255, A: 255}
			}
			p.SetRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, p, nil))
	body := append([]byte("Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00"), 0x12, 0x01, 3, 0, 1, 0, 0, 0, byte(orientation), 0, 0, 0)
	body = append(body, "where it was taken"...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(body)+2))
	return append(append(append([]byte{0xff, 0xd8}, segment...), body...), b.Bytes()[2:]...)
}

// Photographs inside of the folder are embedded if asked for: smaller, upright and without what else is in their files;
// of all others the page says why they are not there. Without being asked, notes name them.
func TestPhotos(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret.jpg")
	write := func(name string, data []byte) {
		t.Helper()
		require.NoError(t, os.WriteFile(name, data, 0o600))
	}
	write(filepath.Join(dir, "turned.jpg"), turned(t, 2400, 1000, 6))
	write(filepath.Join(dir, "text.png"), []byte("no picture"))
	write(filepath.Join(dir, "notes.txt"), []byte("text"))
	write(outside, turned(t, 10, 10, 1))
	if err := os.Symlink(outside, filepath.Join(dir, "link.jpg")); err != nil {
		t.Skip(err)
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder.jpg"), 0o700))
	var huge bytes.Buffer
	require.NoError(t, png.Encode(&huge, image.NewGray(image.Rect(0, 0, 1, 1))))
	claimed := huge.Bytes()
	binary.BigEndian.PutUint32(claimed[16:], 1<<30) // the width that the header claims
	binary.BigEndian.PutUint32(claimed[29:], crc32.ChecksumIEEE(claimed[12:29]))
	write(filepath.Join(dir, "huge.png"), claimed)
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	require.NoError(t, err)
	if err := s.Note(`![a "wet" <b>crystal</b>](turned.jpg) ![](../secret.jpg) ![](` + outside + `) ![](link.jpg) ![](text.png) ` +
		`![](notes.txt) ![](folder.jpg) ![](huge.png) ![](gone.jpg) ![web](https://example.org/x.jpg)`); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	require.NoError(t, HTMLWithPhotos(t.Context(), &b, s, dir, nil))
	page := b.String()
	images := regexp.MustCompile(`<img alt="([^"]*)" width="(\d+)" height="(\d+)" src="data:image/jpeg;base64,([^"]*)"/>`).
		FindAllStringSubmatch(page, -1)
	if len(images) != 1 || images[0][1] != "a &#34;wet&#34; &lt;b&gt;crystal&lt;/b&gt;" || images[0][2] != "500" ||
		images[0][3] != "1200" {
		t.Fatalf("the page has the photographs %.300q", images)
	}
	data, err := base64.StdEncoding.DecodeString(images[0][4])
	if err != nil || bytes.Contains(data, []byte("where it was taken")) {
		t.Errorf("the photograph has what else is in the file, %v", err)
	}
	shown, err := jpeg.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	if r, _, blue, _ := shown.At(250, 100).RGBA(); r < blue {
		t.Error("the left of the file is not at the top of the page")
	}
	for path, why := range map[string]string{"../secret.jpg": "no such file in the folder", outside: "no such file in the folder",
		"link.jpg": "no such file in the folder", "text.png": "not a JPEG, PNG or GIF picture", "notes.txt": "ends in one of",
		"folder.jpg": "not a regular file", "huge.png": "pixels; the maximum is", "gone.jpg": "no such file in the folder"} {
		if !regexp.MustCompile(regexp.QuoteMeta("("+path+": ") + "[^)]*" + why).MatchString(page) {
			t.Errorf("the page does not say why %s is not there", path)
		}
	}
	assert.NotContains(t, page, "example.org", "the page names another host")
	without := pageFor(t, s)
	if strings.Contains(without, "<img") || !strings.Contains(without, "<em> (huge.png)</em>") {
		t.Error("without being asked, the page has a photograph, or does not name one")
	}
}

// Each of the eight orientations of Exif is turned so that the top left of the picture is where it says; damaged
// segments say nothing.
func TestOrientation(t *testing.T) {
	for o, values := range []image.Point{1: {0, 0}, 2: {3, 0}, 3: {3, 1}, 4: {0, 1}, 5: {0, 0}, 6: {1, 0}, 7: {1, 3}, 8: {0, 3}} {
		if o == 0 {
			continue
		}
		p := image.NewRGBA(image.Rect(0, 0, 4, 2))
		p.SetRGBA(0, 0, color.RGBA{R: 255, A: 255})
		if got := upright(p, o); got.RGBAAt(values.X, values.Y).R != 255 || (got.Rect.Dx() == 2) != (o > 4) {
			t.Errorf("orientation %d: the top left is not at %v of %v", o, values, got.Rect)
		}
		assert.Equal(t, o, orientation(turned(t, 4, 4, o)), "orientation %d is read as", o)
	}
	whole := turned(t, 4, 4, 6)
	for n := range 60 {
		orientation(whole[:n]) // it must not panic
	}
}

// No file makes the reader of orientations fail.
func FuzzOrientation(f *testing.F) {
	f.Add([]byte("\xff\xd8\xff\xe1\x00\x22Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if o := orientation(file); o < 1 || o > 8 {
			t.Errorf("the orientation is %d", o)
		}
	})
}
