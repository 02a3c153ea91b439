// Package foreign tests Sininho with the real libraries of others, in Python: Apprise, and the clients of incoming
// webhooks of Slack and Discord. It has tests only, which need the tag foreign and the libraries of requirements.txt in
// the interpreter that PYTHON names: run `make test-foreign`.
package foreign
