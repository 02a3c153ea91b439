package session

import (
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestDescribe(t *testing.T) {
	for name, test := range map[string]struct{ userAgent, browser, system string }{
		"Chrome on Windows": {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
			"Chrome/141.0.0.0 Safari/537.36", "Chrome", "Windows"},
		"Edge on Windows": {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
			"Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0", "Edge", "Windows"},
		"Firefox on Linux": {"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "Linux"},
		"Safari on macOS": {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 " +
			"(KHTML, like Gecko) Version/18.5 Safari/605.1.15", "Safari", "macOS"},
		"Safari on an iPhone": {"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 " +
			"(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1", "Safari", "iOS"},
		"Chrome on an iPhone": {"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 " +
			"(KHTML, like Gecko) CriOS/141.0.0.0 Mobile/15E148 Safari/604.1", "Chrome", "iOS"},
		"Chrome on Android": {"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) " +
			"Chrome/141.0.0.0 Mobile Safari/537.36", "Chrome", "Android"},
		"Samsung Internet": {"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) " +
			"SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36", "Samsung Internet", "Android"},
		"Opera on macOS": {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) " +
			"Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0", "Opera", "macOS"},
		"Chrome on ChromeOS": {"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) " +
			"Chrome/141.0.0.0 Safari/537.36", "Chrome", "ChromeOS"},
		"a program that names itself": {"Your bank, please call 123", "", ""},
		"nothing":                     {"", "", ""},
		"a long text":                 {strings.Repeat("(", 1<<16), "", ""},
		"broken UTF-8":                {"\xff\xfe/\x00 (\xc3", "", ""},
	} {
		want := core.Client{Browser: test.browser, System: test.system, Network: network}
		check.Equal(t, name, describe(test.userAgent, network), want)
	}
}
