package pictures

import (
	"encoding/binary"
	"image"
	"iter"
	"math"
)

// avifSize returns the largest size that an AVIF declares for any of its items: the picture, its transparency and its
// tiles.
func avifSize(content []byte) (size image.Point, err error) {
	for box, meta := range boxes(content) {
		if box != "meta" || len(meta) < 4 {
			continue
		}
		for box, properties := range boxes(meta[4:]) {
			if box != "iprp" {
				continue
			}
			for box, container := range boxes(properties) {
				if box == "ipco" {
					size = largest(container)
				}
			}
		}
	}
	return size, nil
}

// largest returns the largest width and height among the spatial extents of a property container.
func largest(container []byte) (size image.Point) {
	for box, extent := range boxes(container) {
		if box == "ispe" && len(extent) >= 12 {
			size.X = max(size.X, int(binary.BigEndian.Uint32(extent[4:])))
			size.Y = max(size.Y, int(binary.BigEndian.Uint32(extent[8:])))
		}
	}
	return size
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
