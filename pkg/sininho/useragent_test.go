package sininho

import (
	"runtime/debug"
	"testing"
)

func TestVersionIn(t *testing.T) {
	t.Parallel()
	library := func(version string, replace *debug.Module) *debug.BuildInfo {
		return &debug.BuildInfo{Deps: []*debug.Module{
			{Path: "example.com/other", Version: "v9.9.9"}, {Path: module, Version: version, Replace: replace}}}
	}
	for name, test := range map[string]struct {
		info *debug.BuildInfo
		want string
	}{
		"a release":             {library("v0.4.0", nil), "0.4.0"},
		"a commit":              {library("v0.4.1-0.20261128101112-abcdef123456", nil), "0.4.1-0.20261128101112-abcdef123456"},
		"a folder":              {library("v0.4.0", &debug.Module{Path: "./pkg"}), "dev"},
		"no version":            {library("(devel)", nil), "dev"},
		"the library's tests":   {&debug.BuildInfo{Main: debug.Module{Path: module, Version: "(devel)"}}, "dev"},
		"no build information":  {nil, "dev"},
		"another module's name": {&debug.BuildInfo{Main: debug.Module{Path: module + "2", Version: "v1.0.0"}}, "dev"},
	} {
		if got := versionIn(test.info); got != test.want {
			t.Errorf("version in a program with %s: got %q, want %q", name, got, test.want)
		}
	}
}
