// Package template turns the payloads of webhook senders into notifications. It uses the Liquid templates in senders,
// which are chosen by sender and kind of event, or an owner's custom template.
//
// Neither the authors of templates nor the senders of payloads are trusted. A template can read the payload and the
// headers that describe it, but no file, setting or other event. Rendering is limited in steps, bytes and time, loops
// included (see meter), and a panic in the library becomes an error of the template. The package never writes to a
// store or the network.
package template
