package sininho

import (
	"runtime/debug"
	"strings"
	"sync"
)

const module = "github.com/sininho/sininho/pkg"

// userAgent returns the User-Agent of all requests, with the version of the library that the program was built with.
var userAgent = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return "sininho-go/" + versionIn(info) + " (+https://github.com/sininho/sininho)"
})

// versionIn returns the library's version in a program, without its v; dev is one that was not released.
func versionIn(info *debug.BuildInfo) string {
	if info == nil {
		return "dev"
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path != module || m.Replace != nil || m.Version == "" || m.Version == "(devel)" {
			continue
		}
		return strings.TrimPrefix(m.Version, "v")
	}
	return "dev"
}
