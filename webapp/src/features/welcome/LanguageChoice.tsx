import { language } from '../../i18n/language'
import { welcome } from '../../i18n/welcome'
import { type Language, languages, speak } from '../../lib/language'
import classes from './Footer.module.css'

/** Lets visitors choose the language. Signed-in people choose it in their profile. */
export function LanguageChoice() {
  return (
    <ul className={classes.links} aria-label={welcome.footer.language}>
      {Object.entries(languages).map(([tag, name]) => (
        <li key={tag}>
          <button
            type="button"
            lang={tag}
            className={classes.link}
            aria-pressed={tag === language}
            onClick={() => speak(tag as Language)}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}
