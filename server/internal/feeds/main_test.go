package feeds

import (
	"testing"

	"github.com/sininho/sininho/server/lab/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }
