package rules

import "regexp"

// maxSlug is the length limit of a slug, in characters.
const maxSlug = 63

var slug = regexp.MustCompile(`^` + slugPattern + `$`)

// IsSlug reports whether s can be a slug: words of lower-case letters and digits, joined by single hyphens, of at most
// 63 characters.
func IsSlug(s string) bool { return len(s) <= maxSlug && slug.MatchString(s) }

// Slug rejects a text that cannot be a slug.
func (f *Faults) Slug(pointer, s string) {
	if !IsSlug(s) {
		f.Add(pointer, "pattern", Text{"must have lower-case letters, digits and single hyphens, such as linha-azul",
			"tem de ter letras minúsculas, algarismos e hífenes simples, como linha-azul"})
	}
}
