package session

import (
	"github.com/mileusna/useragent"

	"github.com/sininho/sininho/server/internal/core"
)

// maxUserAgent bounds the part of a User-Agent header that is parsed, in bytes.
const maxUserAgent = 512

// browsers are the names under which browsers are shown. Other programs have none, because they may choose any.
var browsers = map[string]string{
	useragent.Chrome: "Chrome", useragent.HeadlessChrome: "Chrome", useragent.Edge: "Edge",
	useragent.Firefox: "Firefox", useragent.Opera: "Opera", useragent.OperaMini: "Opera", useragent.OperaTouch: "Opera",
	useragent.Safari: "Safari", useragent.SamsungBrowser: "Samsung Internet", useragent.Vivaldi: "Vivaldi",
}

// describe returns what people recognize a browser by.
func describe(userAgent, network string) core.Client {
	if len(userAgent) > maxUserAgent {
		userAgent = userAgent[:maxUserAgent]
	}
	ua := useragent.Parse(userAgent)
	return core.Client{Browser: browsers[ua.Name], System: ua.OS, Network: network}
}
