package sampledata

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// Person is a subscriber, and the value of their session cookie.
type Person struct {
	ID      core.ID
	Session string
}

// owners are the owners of eight devices, in a group of eight people: one has two, and one has none.
var owners = [8]int{0, 1, 2, 3, 3, 4, 5, 6}

// withoutDevice is the place in the group of the one who has none.
const withoutDevice = 7

// owner returns to whom a device belongs.
func owner(device int) int { return device/8*8 + owners[device%8] }

// citizens is the number of people without the measured readers.
func (g *generator) citizens() int { return g.sizes.Devices }

// owns reports whether a person has a device.
func (g *generator) owns(person int) bool {
	place := person % 8
	if place == withoutDevice || person >= g.citizens() {
		return false
	}
	device := person
	if place > 3 {
		device++ // the person before has two
	}
	return device < g.sizes.Devices
}

// nthOwner returns the person who is the nth to have a device.
func nthOwner(n int) int { return n/7*8 + n%7 }

// countOwners returns how many people have a device.
func (g *generator) countOwners() int {
	n := g.sizes.Devices / 8 * 7
	for p := g.sizes.Devices / 8 * 8; p < g.citizens(); p++ {
		if g.owns(p) {
			n++
		}
	}
	return n
}

func (g *generator) personID(person int) core.ID {
	return g.id(kindPerson, person, g.since(person, g.people))
}

func (g *generator) person(person int) Person {
	return Person{ID: g.personID(person), Session: g.session(person)}
}

// session returns the secret of a person's session, 32 bytes in base64.
func (g *generator) session(person int) string {
	var b [32]byte
	x := g.mix(kindSession, person)
	for i := 0; i < len(b); i += 8 {
		binary.BigEndian.PutUint64(b[i:], x)
		x = mix(x)
	}
	return base64.RawURLEncoding.EncodeToString(b[:])
}

var timezones = []string{"Europe/Lisbon", "Europe/Lisbon", "America/Sao_Paulo", "Atlantic/Azores", "Africa/Luanda"}

func (g *generator) personRows(yield func([]any) bool) {
	for p := range g.people {
		x, at := g.mix(kindPerson, p), g.since(p, g.people)
		given, family := givenNames[x%uint64(len(givenNames))], familyNames[x>>8%uint64(len(familyNames))]
		zone := timezones[x>>16%uint64(len(timezones))]
		// Only people without devices have quiet hours, so that no measured push is held until the morning.
		var quietStart, quietEnd *string
		if p%8 == withoutDevice && x>>24%4 == 0 {
			quietStart, quietEnd = new("22:30:00"), new("07:00:00")
		}
		email := fmt.Sprintf("pessoa-%d@example.com", p)
		if !yield([]any{raw(g.personID(p)), email, given + " " + family, "pt", zone, "done",
			quietStart, quietEnd, at, at, at}) {
			return
		}
	}
}

// retiredDevices is how many devices are no longer in use.
func (g *generator) retiredDevices() int { return g.sizes.Devices / 20 }

func (g *generator) deviceRows(yield func([]any) bool) {
	dice := g.dice(kindDevice)
	for d := range g.sizes.Devices + g.retiredDevices() {
		person, at := owner(d%g.sizes.Devices), g.since(d, g.sizes.Devices+g.retiredDevices())
		var retired *time.Time
		var cause *string
		if d >= g.sizes.Devices {
			retired, cause = new(at.Add(time.Minute)), new(core.RetiredUnregistered)
		}
		installation, address := registration(dice)
		if !yield([]any{raw(g.id(kindDevice, d, at)), raw(g.personID(person)), installation, "token", address, "web",
			"Firefox no Linux", at, g.now.Add(-time.Hour), at, at, retired, cause}) {
			return
		}
	}
}

const base64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// registration returns an installation and the token of a browser, as long as those of Firebase.
func registration(dice *rand.Rand) (installation, token string) {
	var b strings.Builder
	for b.Len() < 22+134 {
		for x, i := dice.Uint64(), 0; i < 10; i++ {
			b.WriteByte(base64URL[x&63])
			x >>= 6
		}
	}
	s := b.String()
	return s[:22], s[:22] + ":APA91b" + s[22:22+134]
}

// sessionRows makes a session for everyone.
func (g *generator) sessionRows(yield func([]any) bool) {
	at := g.now.Add(-24 * time.Hour)
	for p := range g.people {
		if !yield([]any{raw(g.id(kindSession, p, at)), core.HashSecret(g.session(p)), raw(g.personID(p)), at, g.now}) {
			return
		}
	}
}
