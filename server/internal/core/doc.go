// Package core is Sininho's domain: its types, inputs, rules and errors, and the interfaces of its storage. It has one
// file for each noun and never imports HTTP, SQL or Firebase.
package core
