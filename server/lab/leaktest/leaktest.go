// Package leaktest fails the tests of a package that leave goroutines behind. It is for tests only.
package leaktest

import (
	"net/http"
	"testing"

	"go.uber.org/goleak"
)

// Main runs a package's tests; call it from TestMain. It fails when goroutines are left afterwards.
func Main(m *testing.M) {
	goleak.VerifyTestMain(closing{m}, endless()...)
}

// Since returns a function that returns an error when goroutines are left that were not there before.
func Since() (check func() error) {
	options := append(endless(), goleak.IgnoreCurrent())
	return func() error {
		http.DefaultClient.CloseIdleConnections()
		return goleak.Find(options...)
	}
}

// endless ignores what libraries never end.
func endless() []goleak.Option {
	return []goleak.Option{
		goleak.IgnoreAnyFunction("github.com/hashicorp/golang-lru/v2/expirable.NewLRU[...].func1"), // caches of limits
		goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start"),                    // of the Admin SDK
		// of a link that is closed while it passes data on, or holds it back
		goleak.IgnoreAnyFunction("github.com/Shopify/toxiproxy/v2/toxics.(*NoopToxic).Pipe"),
		goleak.IgnoreAnyFunction("github.com/Shopify/toxiproxy/v2/toxics.(*LatencyToxic).Pipe"),
	}
}

// closing closes idle connections after the tests.
type closing struct{ tests goleak.TestingM }

func (c closing) Run() int {
	defer http.DefaultClient.CloseIdleConnections()
	return c.tests.Run()
}
