package export

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"image"
	"image/color"
	_ "image/gif" // a format of photographs
	"image/jpeg"
	_ "image/png" // a format of photographs
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bandscope/sessions/sanitize"
)

// Bounds of photographs in a page. Larger files are not read; larger pictures are made smaller.
const (
	maxPhotoFile   = 32 << 20 // bytes
	maxPhotoPixels = 64 << 20
	maxPhotoSide   = 1200 // pixels in the page
	maxPhotos      = 40   // in a page
	photoQuality   = 80
)

// photoEndings are the endings of files that are read as photographs.
var photoEndings = []string{".jpg", ".jpeg", ".png", ".gif"}

// photos embeds the photographs that notes name. A path comes from the session, so it is data: only files of known
// kinds inside of the folder are read, also through links, and a photograph is decoded and encoded again, smaller and
// without what else is in the file, such as where it was taken. A nil *photos embeds nothing.
type photos struct {
	ctx    context.Context
	folder *os.Root
	count  int
}

// embed is a photograph as an element of a page, with a text for those who do not see it. The error says why it is not
// embedded.
func (p *photos) embed(path, text string) (template.HTML, error) {
	p.count++
	if p.count > maxPhotos {
		return "", fmt.Errorf("the page has %d photographs already", maxPhotos)
	}
	if err := p.ctx.Err(); err != nil {
		return "", err
	}
	picture, err := readPhoto(p.folder, path)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, picture, &jpeg.Options{Quality: photoQuality}); err != nil {
		return "", err
	}
	size := picture.Bounds().Size()
	return template.HTML(fmt.Sprintf(`<img alt="%s" width="%d" height="%d" src="data:image/jpeg;base64,%s"/>`,
		template.HTMLEscapeString(sanitize.Text(text)), size.X, size.Y,
		base64.StdEncoding.EncodeToString(b.Bytes()))), nil //nolint:gosec // its text is escaped
}

// readPhoto reads a photograph of a folder, upright and with at most maxPhotoSide pixels a side.
func readPhoto(folder *os.Root, path string) (image.Image, error) {
	if !slices.Contains(photoEndings, strings.ToLower(filepath.Ext(path))) {
		return nil, fmt.Errorf("a photograph ends in one of %s", strings.Join(photoEndings, ", "))
	}
	info, err := folder.Stat(filepath.FromSlash(path)) // before it is opened: opening a pipe would wait
	switch {
	case err != nil:
		return nil, errors.New("there is no such file in the folder of the session")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case info.Size() > maxPhotoFile:
		return nil, fmt.Errorf("it has %d MB; the maximum is %d", info.Size()>>20, maxPhotoFile>>20)
	}
	f, err := folder.Open(filepath.FromSlash(path))
	if err != nil {
		return nil, errors.New("it cannot be opened")
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPhotoFile))
	if err != nil {
		return nil, err
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil:
		return nil, errors.New("it is not a JPEG, PNG or GIF picture")
	case size.Width < 1 || size.Height < 1 || size.Width > maxPhotoPixels/size.Height:
		return nil, fmt.Errorf("it has %d×%d pixels; the maximum is %d million", size.Width, size.Height,
			maxPhotoPixels>>20)
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, errors.New("it is damaged")
	}
	return upright(shrunk(picture), orientation(data)), nil
}

// shrunk is a picture on white with at most maxPhotoSide pixels a side: the mean of the pixels that fall into one.
func shrunk(p image.Image) *image.RGBA {
	from := p.Bounds()
	w, h := from.Dx(), from.Dy()
	if long := max(w, h); long > maxPhotoSide {
		w, h = max(w*maxPhotoSide/long, 1), max(h*maxPhotoSide/long, 1)
	}
	canvas := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		top, bottom := from.Min.Y+y*from.Dy()/h, from.Min.Y+(y+1)*from.Dy()/h
		for x := range w {
			left, right := from.Min.X+x*from.Dx()/w, from.Min.X+(x+1)*from.Dx()/w
			var r, g, b, n uint64
			for i := top; i < bottom; i++ {
				for j := left; j < right; j++ {
					pr, pg, pb, pa := p.At(j, i).RGBA() // with the opacity as a factor
					white := uint64(0xffff - pa)
					r = r + uint64(pr) + white
					g = g + uint64(pg) + white
					b = b + uint64(pb) + white
					n = n + 1
				}
			}
			canvas.SetRGBA(x, y, color.RGBA{uint8(r / n >> 8), uint8(g / n >> 8), uint8(b / n >> 8), 0xff})
		}
	}
	return canvas
}

// upright turns and mirrors a picture by its orientation in Exif: 1 to 8, of which 1 is upright.
func upright(p *image.RGBA, orientation int) *image.RGBA {
	w, h := p.Rect.Dx(), p.Rect.Dy()
	if orientation < 2 || orientation > 8 {
		return p
	}
	canvas := image.NewRGBA(image.Rect(0, 0, w, h))
	if orientation > 4 {
		canvas = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			right, down := w-1-x, h-1-y
			target := [...]image.Point{2: {right, y}, 3: {right, down}, 4: {x, down}, 5: {y, x}, 6: {down, x},
				7: {down, right}, 8: {y, right}}[orientation]
			canvas.SetRGBA(target.X, target.Y, p.RGBAAt(x, y))
		}
	}
	return canvas
}
