package sininhotest

import "testing"

// Programs in other modules have no openapi/sininho.yaml above them.
func TestContractNeedsNoFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, err := parseContract(); err != nil {
		t.Error(err)
	}
}
