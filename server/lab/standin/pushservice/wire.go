package pushservice

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The protocols use few fields of few protocol buffers, so these are encoded and decoded by hand.

const (
	varint  = 0
	fixed64 = 1
	bytes   = 2
	fixed32 = 5
)

// buffer is a protocol buffer that is being encoded.
type buffer []byte

func (b buffer) int(field int, v uint64) buffer {
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(field)<<3|varint), v)
}

func (b buffer) fixed(field int, v uint64) buffer {
	return binary.LittleEndian.AppendUint64(binary.AppendUvarint(b, uint64(field)<<3|fixed64), v)
}

func (b buffer) text(field int, v string) buffer {
	return append(binary.AppendUvarint(binary.AppendUvarint(b, uint64(field)<<3|bytes), uint64(len(v))), v...)
}

// fields is a decoded protocol buffer: the values of each field, with numbers separate from text.
type fields struct {
	numbers map[int]uint64
	texts   map[int][]string
}

var errMalformed = errors.New("malformed protocol buffer")

func readFields(b []byte) (fields, error) {
	f := fields{map[int]uint64{}, map[int][]string{}}
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			return f, errMalformed
		}
		b = b[n:]
		used, err := f.read(int(key>>3), int(key&7), b)
		if err != nil {
			return f, err
		}
		b = b[used:]
	}
	return f, nil
}

// read decodes one value and returns its size.
func (f fields) read(field, kind int, b []byte) (used int, err error) {
	switch kind {
	case varint:
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return 0, errMalformed
		}
		f.numbers[field] = v
		return n, nil
	case fixed64:
		if len(b) < 8 {
			return 0, errMalformed
		}
		f.numbers[field] = binary.LittleEndian.Uint64(b)
		return 8, nil
	case fixed32:
		if len(b) < 4 {
			return 0, errMalformed
		}
		return 4, nil
	case bytes:
		size, n := binary.Uvarint(b)
		if n <= 0 || size > uint64(len(b)-n) {
			return 0, errMalformed
		}
		end := n + int(size)
		f.texts[field] = append(f.texts[field], string(b[n:end]))
		return end, nil
	default:
		return 0, errMalformed
	}
}

func (f fields) text(field int) string {
	if t := f.texts[field]; len(t) > 0 {
		return t[0]
	}
	return ""
}

// maxFrame is the maximum size of a message in a stream.
const maxFrame = 1 << 20

// readFrame reads one message of a stream: a tag, a length and a protocol buffer.
func readFrame(r *bufio.Reader) (tag byte, f fields, err error) {
	if tag, err = r.ReadByte(); err != nil {
		return 0, f, err
	}
	size, err := binary.ReadUvarint(r)
	if err != nil {
		return 0, f, err
	}
	if size > maxFrame {
		return 0, f, fmt.Errorf("frame of %d bytes", size)
	}
	body := make([]byte, size)
	if _, err = io.ReadFull(r, body); err != nil {
		return 0, f, err
	}
	f, err = readFields(body)
	return tag, f, err
}

func frame(tag byte, body buffer) []byte {
	return append(binary.AppendUvarint([]byte{tag}, uint64(len(body))), body...)
}
