package webpush

import (
	"testing"

	"github.com/sininho/sininho/server/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }
