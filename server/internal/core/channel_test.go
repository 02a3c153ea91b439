package core

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
)

func TestChannelPatch(t *testing.T) {
	icon := Patch[string]{Set: true, Value: new("http://example.com/i.png")}
	for name, test := range map[string]struct {
		patch ChannelPatch
		want  []string
	}{
		"nothing": {ChannelPatch{}, nil},
		"no icon": {ChannelPatch{Icon: Patch[string]{Set: true}}, nil},
		"all faults": {
			ChannelPatch{Name: new(" "), Description: new("\x00"), Icon: icon},
			[]string{"#/name", "#/description", "#/icon"},
		},
	} {
		var got []string
		for _, f := range test.patch.Validate(NewRules(LinkRules{}, EventRules{}, nil), time.Now()) {
			got = append(got, f.Pointer)
		}
		check.Equal(t, "faults of a change: "+name, got, test.want)
	}
}
