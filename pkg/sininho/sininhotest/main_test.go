package sininhotest_test

import (
	"testing"

	"github.com/sininho/sininho/pkg/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }
