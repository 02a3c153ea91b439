package core

import (
	"strings"
	"testing"
)

func TestPlainName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Turma 7.º B", "Escola Básica n.º 4", "St. John’s (coro)", "Água & Luz", "Notícias 2026",
		"टीम", "消防団"} {
		if got := PlainName(name); got != name {
			t.Errorf("PlainName(%q): got %q, want the name", name, got)
		}
	}
	for _, name := range []string{"", "Win at evil.example", "evil.pt", "a@b", "https://x", "x/y", "Ligue 912 345 678",
		"Ganhou\nmil euros", "💰 Ganhou", strings.Repeat("a", 41), "١٢٣٤٥٦٧"} {
		if got := PlainName(name); got != "" {
			t.Errorf("PlainName(%q): got %q, want none", name, got)
		}
	}
}
