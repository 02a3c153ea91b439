package jobs_test

import (
	"testing"

	"github.com/sininho/sininho/server/lab/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
