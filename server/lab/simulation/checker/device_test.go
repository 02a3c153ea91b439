package checker_test

import (
	"testing"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

// registers is a request of somebody to register an installation with an address.
func registers(person, installation, address string) history.Event {
	e := by(person, history.Register, "")
	e.Key, e.Address = installation, address
	return e
}

// as is an operation that succeeds, and whose response names a device.
func as(device string, e history.Event) step {
	return answered(e, history.Value{Device: device, Status: 201}, "")
}

// removes is a request of ana to remove a device.
func removes(device string) history.Event {
	e := by("ana", history.Remove, "")
	e.Device = device
	return e
}

// device is a device as it is in the end, retired if there is a cause.
func device(name, person, installation, address, cause string) step {
	return func(s *story) {
		v := history.Value{Device: name, Key: installation, Address: address, Cause: cause}
		s.final(history.Event{Kind: history.Device, Person: person, Value: v})
	}
}

// unknown has the push service not know an address.
func unknown(address string) step { return noted(history.Fault, history.Value{Address: address}) }

// TestDevices judges whether something was a reason to retire the device of ana.
func TestDevices(t *testing.T) {
	t.Parallel()
	mine := registers("ana", "i", "a")
	retired := device("d", "ana", "i", "a", "moved")
	tell(t, []tale{
		{"a device that is not there", "lost", []step{as("d", mine)}},
		{"a device that is there", "", []step{as("d", mine), device("d", "ana", "i", "a", "")}},
		{"no reason", "devices", []step{as("d", mine), retired}},
		{"its address with another installation", "",
			[]step{as("d", mine), as("e", registers("rui", "k", "a")), retired, device("e", "rui", "k", "a", "")}},
		{"its installation with another address", "",
			[]step{as("d", mine), as("e", registers("ana", "i", "b")), retired, device("e", "ana", "i", "b", "")}},
		{"its installation and address with another person", "", []step{as("d", mine), lost(registers("rui", "i", "a")),
			retired}},
		{"another device of another person", "devices",
			[]step{as("d", mine), as("e", registers("rui", "k", "b")), retired, device("e", "rui", "k", "b", "")}},
		{"its own registration once more", "devices", []step{as("d", mine), lost(mine), retired}},
		{"its own new installation", "devices", []step{as("d", registers("ana", "h", "a")), as("d", mine), retired}},
		{"a registration that was refused", "devices", []step{as("d", mine), failed(registers("rui", "k", "a")), retired}},

		{"its removal", "", []step{as("d", mine), did(removes("d")), retired}},
		{"its removal, or not", "", []step{as("d", mine), lost(removes("d")), retired}},
		{"a removal that was refused", "devices", []step{as("d", mine), failed(removes("d")), retired}},
		{"the removal of what is not there", "devices", []step{as("d", mine), lost(removes("e")), retired}},

		{"an address that was unknown", "", []step{as("d", mine), unknown("a"), retired}},
		{"two addresses that were unknown", "", []step{as("d", mine), unknown("a"), unknown("b"), retired}},
		{"another address that was unknown", "devices", []step{as("d", mine), unknown("b"), retired}},
	})
}
