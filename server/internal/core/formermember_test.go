package core_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// TestRenewal checks what a former member still knows of webhooks whose secrets different people set.
func TestRenewal(t *testing.T) {
	sealer, err := core.NewSealer(core.NewSecretKey())
	core.Succeed(t, "new sealer", err)
	webhooks := core.NewWebhooks(nil, nil, production, sealer, func() string { return "renewed" }, clock)
	leaving, staying, nobody := core.ID{1}, core.ID{2}, core.ID{}
	for name, test := range map[string]struct {
		signed   bool
		setBy    core.ID
		replaced bool
	}{
		"unsigned":                 {false, leaving, false},
		"secret of the former":     {true, leaving, true},
		"secret of another member": {true, staying, false},
		"secret that nobody knows": {true, nobody, false},
	} {
		before := core.SealedWebhook{
			AddressHash: []byte("hash"), AddressSealed: []byte("address"), SecretKnownTo: test.setBy,
			PreviousSealed: []byte("previous"), PreviousUntil: new(now.Add(time.Hour)),
		}
		if test.signed {
			before.SecretSealed = sealer.Seal([]byte("old"))
		}
		after := before
		webhooks.RenewalAfter(leaving)(&after)

		address, err := sealer.Open(after.AddressSealed)
		core.Succeed(t, name+": open the address", err)
		check.Equal(t, name+": hash of the new address", after.AddressHash, core.HashSecret(string(address)))
		check.Equal(t, name+": time of the new address", after.AddressReplacedAt, &now)
		check.Equal(t, name+": previous secret", after.PreviousSealed, nil)
		check.Equal(t, name+": end of the previous secret", after.PreviousUntil, nil)
		check.Equal(t, name+": the same secret as before", bytes.Equal(after.SecretSealed, before.SecretSealed), !test.replaced)
		if test.replaced {
			secret, err := sealer.Open(after.SecretSealed)
			core.Succeed(t, name+": open the secret", err)
			check.Equal(t, name+": secret", string(secret), "renewed")
			check.Equal(t, name+": person who knows the secret", after.SecretKnownTo, nobody)
			check.Equal(t, name+": time of the new secret", after.SecretReplacedAt, &now)
		}
	}
}
