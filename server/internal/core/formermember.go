package core

// Renewal replaces what a former member knows of a webhook.
type Renewal func(w *SealedWebhook)

// RenewalAfter returns the Renewal for when a member leaves a publisher. Every member can read the address of its
// webhooks, so all get a new one. A secret is shown only to the person who sets it: theirs is replaced by a secret that
// nobody knows, until a member sets another.
func (w *Webhooks) RenewalAfter(memberID ID) Renewal {
	now := w.now()
	return func(s *SealedWebhook) {
		_, s.AddressHash, s.AddressSealed = newAddress(w.sealer)
		s.AddressReplacedAt = &now
		s.PreviousSealed, s.PreviousUntil = nil, nil
		if s.SecretSealed != nil && s.SecretKnownTo == memberID {
			s.SecretSealed = w.sealer.Seal([]byte(w.newSecret()))
			s.SecretKnownTo, s.SecretReplacedAt = ID{}, &now
		}
	}
}
