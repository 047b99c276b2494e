package export

import (
	"bytes"
	"encoding/binary"
)

// Marks of a JPEG file and of its Exif segment (CIPA DC-008, 4.5 and 4.6).
const (
	jpegStart       = 0xd8
	jpegApplication = 0xe1 // the segment of Exif
	jpegScan        = 0xda // the picture begins; no segments follow
	tagOrientation  = 0x0112
	entrySize       = 12 // of a field in a directory
)

// orientation is how a JPEG file says that its picture is turned: 1 to 8; 1 if it does not say.
func orientation(file []byte) int {
	if len(file) < 4 || file[0] != 0xff || file[1] != jpegStart {
		return 1
	}
	for offset := 2; offset+4 <= len(file) && file[offset] == 0xff && file[offset+1] != jpegScan; {
		length := int(binary.BigEndian.Uint16(file[offset+2:]))
		end := offset + 2 + length
		if length < 2 || end > len(file) {
			return 1
		}
		if body, ok := bytes.CutPrefix(file[offset+4:end], []byte("Exif\x00\x00")); ok && file[offset+1] == jpegApplication {
			return exifOrientation(body)
		}
		offset = end
	}
	return 1
}

// exifOrientation is the orientation in the first directory of Exif; 1 if there is none.
func exifOrientation(body []byte) int {
	if len(body) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.BigEndian
	if bytes.HasPrefix(body, []byte("II")) {
		order = binary.LittleEndian
	}
	offset := int64(order.Uint32(body[4:]))
	if offset+2 > int64(len(body)) {
		return 1
	}
	fields := body[offset+2:]
	for range order.Uint16(body[offset:]) {
		if len(fields) < entrySize {
			return 1
		}
		if order.Uint16(fields) == tagOrientation {
			if v := int(order.Uint16(fields[8:])); v >= 1 && v <= 8 {
				return v
			}
			return 1
		}
		fields = fields[entrySize:]
	}
	return 1
}
