// Package deploy checks the files in examples/deploy by the code of the programs that read them. It has tests alone, in
// a module of its own, which keeps those programs out of the requirements of the server.
package deploy
