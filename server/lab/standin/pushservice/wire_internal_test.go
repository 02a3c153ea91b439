package pushservice

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadFieldsRefusesTornBuffers(t *testing.T) {
	t.Parallel()
	whole := buffer{}.int(1, 300).fixed(2, 5).text(3, "abc").text(3, "d")
	f, err := readFields(whole)
	if err != nil {
		t.Fatalf("read the whole buffer: %v", err)
	}
	want := fields{numbers: map[int]uint64{1: 300, 2: 5}, texts: map[int][]string{3: {"abc", "d"}}}
	if diff := cmp.Diff(want, f, cmp.AllowUnexported(fields{})); diff != "" {
		t.Fatalf("fields of the whole buffer (-want +got):\n%s", diff)
	}
	ends := map[int]bool{0: true, 3: true, 12: true, 17: true}
	for i := range whole {
		if _, err := readFields(whole[:i]); (err == nil) != ends[i] {
			t.Errorf("buffer cut at %d: got %v, want an error: %t", i, err, !ends[i])
		}
	}
}
