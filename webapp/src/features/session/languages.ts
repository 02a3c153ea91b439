import { language } from '../../i18n/language'
import { languageOf, languages as known } from '../../lib/language'

/** The languages to choose from, and the person's own locale if the app does not speak it. */
export function languages(locale: string): { value: string; label: string }[] {
  const spoken = Object.entries(known).map(([value, label]) => ({ value, label }))
  return languageOf(locale) ? spoken : [...spoken, { value: locale, label: languageName(locale) }]
}

/** Returns the name of a language, as "Francês (Canadá)", or the tag itself if it has no name. */
function languageName(tag: string): string {
  try {
    const name = new Intl.DisplayNames([language], { type: 'language' }).of(tag) ?? tag
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
  } catch {
    return tag
  }
}
