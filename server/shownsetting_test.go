package server

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func shownByName(environment map[string]string) map[string]core.Setting {
	c, _ := ReadConfig(environment) // what is missing does not matter here
	all := map[string]core.Setting{}
	for _, s := range c.shownSettings() {
		all[s.Name] = s
	}
	return all
}

func TestShownSettings(t *testing.T) {
	all := shownByName(map[string]string{
		"LOG_LEVEL": "debug", "LIMIT_READS_PER_MINUTE": "600", "OPERATOR_EMAILS": "eva@example.com,rui@example.com",
		"SECRET_KEY": "k", "POSTHOG_HOST": "https://me:pass@posthog.example.com", "SUPPORT_URL": "",
	})
	for _, want := range []core.Setting{
		{Name: "LOG_LEVEL", Value: "debug", Set: true, Source: core.SettingEnvironment},
		{Name: "LOG_FORMAT", Value: "text", Set: true, Source: core.SettingDefault},
		{Name: "LIMIT_READS_PER_MINUTE", Value: "600", Set: true, Source: core.SettingEnvironment},
		{Name: "OPERATOR_EMAILS", Value: "eva@example.com,rui@example.com", Set: true, Source: core.SettingEnvironment},
		{Name: "SECRET_KEY", Set: true, Secret: true, Source: core.SettingEnvironment},
		{Name: "POSTHOG_HOST", Set: true, Secret: true, Source: core.SettingEnvironment},
		{Name: "SMTP_URL", Secret: true, Source: core.SettingDefault},
		{Name: "SUPPORT_URL", Source: core.SettingDefault},
		{Name: "API_BASE_URL", Value: "http://localhost:8080/api/v1", Set: true, Source: core.SettingDefault},
	} {
		check.Equal(t, want.Name, all[want.Name], want)
	}
	names := slices.Collect(maps.Keys(all))
	if len(names) < 60 {
		t.Errorf("settings: got %d, want all of them", len(names))
	}
}

// TestNoSecretIsShown fails for a setting that sounds like a secret and is shown. Those that browsers get are not
// secret.
func TestNoSecretIsShown(t *testing.T) {
	all := shownByName(nil)
	public := Config{}.publicSettings()
	for _, name := range []string{"FIREBASE_API_KEY", "FIREBASE_VAPID_PUBLIC_KEY", "POSTHOG_API_KEY"} {
		public[name] = "sent to browsers"
	}
	for name, s := range all {
		sounds := slices.ContainsFunc([]string{"SECRET", "PASSWORD", "_KEY", "SMTP_URL", "NATS_URL"},
			func(end string) bool { return strings.HasSuffix(name, end) }) ||
			strings.HasPrefix(name, "DATABASE_") && strings.Contains(name, "URL")
		if sounds && public[name] == "" && !s.Secret {
			t.Errorf("%s is shown to operators; give its field the tag secret", name)
		}
	}
}
