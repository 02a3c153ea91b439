package template_test

import "time"

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
