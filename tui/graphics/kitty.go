package graphics

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
)

// firstID is the id of the first plot's image. Ids belong to all programs of a terminal.
const firstID = 0x62730000

// maxKittyColors is how many colors the palette of a PNG file has.
const maxKittyColors = 256

// showKitty deletes the image of a plot, and sends and places its successor behind the text. kitty.EncodeGraphics takes
// ten times as long: it compresses files of all colors as well as it can.
func showKitty(p Picture) string {
	data := encode(p, maxKittyColors, encodePNG)
	options := []string{"a=T", "f=100", "i=" + strconv.Itoa(firstID+p.ID), "p=1", fmt.Sprintf("c=%d", p.Area.Dx()),
		fmt.Sprintf("r=%d", p.Area.Dy()), "z=-1", "C=1", "q=2"}
	var b strings.Builder
	b.WriteString(hideKitty(p.ID))
	for len(data) > 0 {
		n := min(len(data), kitty.MaxChunkSize)
		more := "m=1"
		if n == len(data) {
			more = "m=0"
		}
		b.WriteString(ansi.KittyGraphics(data[:n], append(options, more)...))
		data = data[n:]
		options = []string{"q=2"}
	}
	return placed(p.Area, b.String())
}

// encodePNG is an image as a file in base64; nothing if it has too many pixels for one.
func encodePNG(m *image.Paletted) []byte {
	var file bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&file, m); err != nil {
		return nil
	}
	return base64.StdEncoding.AppendEncode(nil, file.Bytes())
}

// hideKitty deletes the image of a plot, with its data.
func hideKitty(id int) string {
	return ansi.KittyGraphics(nil, "a=d", "d=I", "i="+strconv.Itoa(firstID+id), "q=2")
}
