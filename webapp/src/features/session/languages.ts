const offered = ['pt', 'pt-PT', 'pt-BR', 'en', 'es', 'fr']

/** BCP 47 tags; the person's own too, which their way to sign in told. */
export const languages = (own: string) => (offered.includes(own) ? offered : [own, ...offered])

/** In Portuguese, with a capital: "Português (Brasil)"; a tag that has no name stays as it is. */
export function languageName(tag: string): string {
  try {
    const name = new Intl.DisplayNames(['pt'], { type: 'language' }).of(tag) ?? tag
    return name.charAt(0).toLocaleUpperCase('pt') + name.slice(1)
  } catch {
    return tag
  }
}
