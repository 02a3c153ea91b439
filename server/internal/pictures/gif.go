package pictures

import (
	"encoding/binary"
	"image"
)

// Blocks of a GIF.
const (
	gifExtension  = 0x21
	gifImage      = 0x2c
	gifTrailer    = 0x3b
	gifColorTable = 0x80 // flag: a color table follows
)

// gifFrames returns the rectangle that holds all frames of a GIF. Browsers enlarge the screen that its header declares
// when a frame is larger.
func gifFrames(content []byte) (all image.Rectangle, err error) {
	rest := skipColorTable(content, 13, 10)
	for len(rest) > 0 && rest[0] != gifTrailer {
		switch {
		case rest[0] == gifExtension && len(rest) > 2:
			rest = skipBlocks(rest[2:])
		case rest[0] == gifImage && len(rest) > 10:
			u16 := func(at int) int { return int(binary.LittleEndian.Uint16(rest[at:])) }
			all = all.Union(image.Rect(u16(1), u16(3), u16(1)+u16(5), u16(3)+u16(7)))
			if rest = skipColorTable(rest, 10, 9); len(rest) > 0 {
				rest = skipBlocks(rest[1:])
			}
		default:
			return all, errFormat
		}
	}
	if all.Empty() {
		return all, errFormat
	}
	return all, nil
}

// skipColorTable returns the rest of a block after its header and its color table, if the flags in the header announce
// one.
func skipColorTable(block []byte, header, flags int) []byte {
	if len(block) < header {
		return nil
	}
	if block[flags]&gifColorTable != 0 {
		header += 3 << (block[flags]&7 + 1)
	}
	return block[min(header, len(block)):]
}

// skipBlocks returns the rest after a series of data blocks.
func skipBlocks(rest []byte) []byte {
	for len(rest) > 0 && rest[0] != 0 {
		rest = rest[min(int(rest[0])+1, len(rest)):]
	}
	return rest[min(1, len(rest)):]
}
