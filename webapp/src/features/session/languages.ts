const offered = ['pt', 'pt-PT', 'pt-BR', 'en', 'es', 'fr']

/** BCP 47 tags. The person's own is included, because Google may have set one that is not offered. */
export const languages = (own: string) => (offered.includes(own) ? offered : [own, ...offered])

/** Returns the language's name in Portuguese, as "Português (Brasil)", or the tag itself if it has no name. */
export function languageName(tag: string): string {
  try {
    const name = new Intl.DisplayNames(['pt'], { type: 'language' }).of(tag) ?? tag
    return name.charAt(0).toLocaleUpperCase('pt') + name.slice(1)
  } catch {
    return tag
  }
}
