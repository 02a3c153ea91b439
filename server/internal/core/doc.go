// Package core is Sininho's domain: its types, inputs, rules and errors, and the interfaces through which it keeps
// things. It has a file for each noun and never imports HTTP, SQL or Firebase.
package core
