package pictures

import (
	"encoding/binary"
	"image"
	"iter"
	"math"
)

// avifContainers are the boxes that lead to the sizes of an AVIF's items and, if it moves, of its tracks. The values
// are the lengths of what is before the boxes in them.
var avifContainers = map[string]int{
	"/meta": 4, "/meta/iprp": 0, "/meta/iprp/ipco": 0,
	"/moov": 0, "/moov/trak": 0, "/moov/trak/mdia": 0, "/moov/trak/mdia/minf": 0, "/moov/trak/mdia/minf/stbl": 0,
	"/moov/trak/mdia/minf/stbl/stsd": 8,
}

// avifSize returns the largest width and height that an AVIF declares. All count, however many boxes of a kind there
// are, because browsers differ in which of several they take.
func avifSize(content []byte) (size image.Point, err error) {
	addAVIFSizes(&size, "", content)
	return size, nil
}

func addAVIFSizes(size *image.Point, path string, content []byte) {
	for box, inside := range boxes(content) {
		declared := avifBoxSize(box, inside)
		size.X, size.Y = max(size.X, declared.X), max(size.Y, declared.Y)
		if skip, ok := avifContainers[path+"/"+box]; ok && len(inside) >= skip {
			addAVIFSizes(size, path+"/"+box, inside[skip:])
		}
	}
}

// avifBoxSize returns the size that a box declares, or none.
func avifBoxSize(box string, inside []byte) image.Point {
	u16 := func(at int) int { return int(binary.BigEndian.Uint16(inside[at:])) }
	u32 := func(at int) int { return int(binary.BigEndian.Uint32(inside[at:])) }
	switch {
	case box == "ispe" && len(inside) >= 12: // of an item
		return image.Pt(u32(4), u32(8))
	case box == "av01" && len(inside) >= 28: // of the pictures of a track
		return image.Pt(u16(24), u16(26))
	case box == "tkhd" && len(inside) >= 84 && inside[0] == 0: // the shown size of a track, in pixels and fractions
		return image.Pt(u16(76), u16(80))
	case box == "tkhd" && len(inside) >= 96: // with longer times
		return image.Pt(u16(88), u16(92))
	default:
		return image.Point{}
	}
}

// boxes returns the boxes in a part of an ISO media file, by type and content. It ends at the first one that is cut
// off.
func boxes(rest []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for len(rest) >= 8 {
			length, header := uint64(binary.BigEndian.Uint32(rest)), 8
			switch {
			case length == 0: // to the end
				length = uint64(len(rest))
			case length == 1 && len(rest) >= 16:
				length, header = binary.BigEndian.Uint64(rest[8:]), 16
			}
			if length < uint64(header) || length > uint64(min(len(rest), math.MaxInt)) {
				return
			}
			if !yield(string(rest[4:8]), rest[header:length]) {
				return
			}
			rest = rest[length:]
		}
	}
}
