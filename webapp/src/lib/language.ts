import { language } from '../i18n/language'

/** The languages that the app speaks, by their BCP 47 tags, with their own names. */
export const languages = { 'pt-PT': 'Português (Portugal)', 'pt-BR': 'Português (Brasil)', en: 'English' }
export type Language = keyof typeof languages

// read by the server (server/internal/webui/language.go)
const cookie = 'sininho_language'
const year = 365 * 24 * 60 * 60

/** Returns the language that a locale names, if the app speaks it. Portuguese without a country may be either. */
export function languageOf(locale: string): Language | undefined {
  const tag = locale.toLowerCase()
  if (tag.split('-')[0] === 'en') return 'en'
  return (Object.keys(languages) as Language[]).find((each) => each.toLowerCase() === tag)
}

/** Loads the app again in a language, which is kept for later visits. Does so once, whatever the server makes of it. */
export function speak(wanted: Language) {
  const choice = `${cookie}=${wanted}`
  if (wanted === language || document.cookie.split('; ').includes(choice)) return
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `${choice}; path=/; max-age=${year}; samesite=lax${secure}`
  if (document.cookie.split('; ').includes(choice)) location.reload()
}
