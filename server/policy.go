package server

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A policy is what the operator has to say about privacy or terms of use: the address of a page, or a text. Texts have
// spaces, addresses have none.

// isText reports whether a policy is a text, which the web app shows on a page of its own.
func isText(policy string) bool { return strings.ContainsFunc(policy, unicode.IsSpace) }

// checkPolicies refuses what is neither the address of a page nor a text.
func (c Config) checkPolicies(p *problems) {
	for name, policy := range map[string]string{"PRIVACY": c.Privacy, "TERMS": c.Terms} {
		switch {
		case isText(policy) && !utf8.ValidString(policy):
			p.add(name, "must be a text in UTF-8")
		case policy != "" && !isText(policy) && !isHTTP(policy):
			p.add(name, "must be an https address, or a text; "+name+fileSuffix+" may name the file of a text")
		}
	}
}

// policyTexts returns the texts that the web app shows, by the names of their pages.
func (c Config) policyTexts() map[string]string {
	texts := map[string]string{}
	for page, policy := range map[string]string{"privacy": c.Privacy, "terms": c.Terms} {
		if isText(policy) {
			texts[page] = policy
		}
	}
	return texts
}

// policyLink returns where a policy is read: at its address, or on the web app's page.
func policyLink(policy, page string) string {
	if isText(policy) {
		return page
	}
	return policy
}
