package production

import (
	"testing"

	"github.com/sininho/sininho/server/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
