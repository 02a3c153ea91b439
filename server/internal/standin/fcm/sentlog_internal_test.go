package fcm

import "testing"

func TestSentLogDropsTheOldest(t *testing.T) {
	t.Parallel()
	s, err := New(Config{Keep: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	tpl := &template{before: `{"token":`, after: "}"}
	const n = 50_000
	for i := range n {
		s.sent.add(tpl, "t", uint64(i))
	}
	all := s.Sent(0, "")
	if len(all) < 10_000 || len(all) > 10_000+2*chunkSize || all[len(all)-1].Seq != n || all[0].Seq != n-int64(len(all))+1 {
		t.Errorf("%d, from %d to %d", len(all), all[0].Seq, all[len(all)-1].Seq)
	}
	if some := s.Sent(n-5000, ""); len(some) != 5000 || some[0].Seq != n-4999 {
		t.Errorf("%d of the last 5000", len(some))
	}
}
