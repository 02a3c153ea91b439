package fcm

import "testing"

func TestSentLogDropsTheOldest(t *testing.T) {
	t.Parallel()
	s, err := New(Config{Keep: 10_000})
	if err != nil {
		t.Fatalf("new: %v", err)
	}
	tpl := &template{before: `{"token":`, after: "}"}
	const n = 50_000
	for i := range n {
		s.sent.add(tpl, "t", uint64(i), "")
	}
	all := s.Sent(0, "")
	if len(all) < 10_000 || len(all) > 10_000+2*chunkSize {
		t.Errorf("kept messages: got %d, want 10000 to %d", len(all), 10_000+2*chunkSize)
	}
	first, last := all[0].Seq, all[len(all)-1].Seq
	if last != n || first != n-int64(len(all))+1 {
		t.Errorf("kept messages: got seqs %d to %d, want the last %d up to %d", first, last, len(all), n)
	}
	if some := s.Sent(n-5000, ""); len(some) != 5000 || some[0].Seq != n-4999 {
		t.Errorf("messages since %d: got %d from seq %d, want 5000 from %d", n-5000, len(some), some[0].Seq, n-4999)
	}
}
