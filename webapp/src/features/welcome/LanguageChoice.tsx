import { UnstyledButton } from '@mantine/core'
import { language } from '../../i18n/language'
import { welcome } from '../../i18n/welcome'
import { type Language, languages, speak } from '../../lib/language'
import ui from '../../ui/ui.module.css'
import classes from './welcome.module.css'

/** Lets visitors choose the language. Signed-in people choose it in their profile. */
export function LanguageChoice() {
  return (
    <ul aria-label={welcome.footer.language} className={classes.links}>
      {Object.entries(languages).map(([tag, name]) => (
        <li key={tag}>
          <UnstyledButton
            lang={tag}
            className={`${ui.quietLink} ${classes.choice}`}
            aria-pressed={tag === language}
            onClick={() => speak(tag as Language)}
          >
            {name}
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}
