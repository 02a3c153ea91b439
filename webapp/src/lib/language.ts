import { language } from '../i18n/language'

/** The languages that the app speaks, by their BCP 47 tags, with their own names. */
export const languages = { 'pt-PT': 'Português (Portugal)', 'pt-BR': 'Português (Brasil)', en: 'English' }
export type Language = keyof typeof languages

// read by the server (server/internal/webui/language.go)
const cookie = 'sininho_language'
const year = 365 * 24 * 60 * 60

/**
 * Returns the language that the app speaks to a person with a locale, if it speaks theirs. Portuguese without a country
 * is that of the page or, where the page is in another language, that of Portugal.
 */
export function languageOf(locale: string): Language | undefined {
  const [base, ...rest] = locale.toLowerCase().split('-')
  if (base === 'en') return base
  if (base !== 'pt') return undefined
  if (rest.includes('br')) return 'pt-BR'
  return rest.length === 0 && language.startsWith(base) ? language : 'pt-PT'
}

/** Loads the app again in a language, which is kept for later visits. Does so once, whatever the server makes of it. */
export function speak(wanted: Language) {
  const choice = `${cookie}=${wanted}`
  if (wanted === language || document.cookie.split('; ').includes(choice)) return
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `${choice}; path=/; max-age=${year}; samesite=lax${secure}`
  if (document.cookie.split('; ').includes(choice)) location.reload()
}
