package servertest_test

import (
	"testing"

	"github.com/sininho/sininho/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }
