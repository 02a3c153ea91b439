import { Link } from '@tanstack/react-router'
import { useSignedIn } from '../../data/useSignedIn'
import { env } from '../../env'
import { words } from '../../i18n/words'
import { welcome } from '../../i18n/welcome'
import { docsPath, guidePath } from '../../lib/paths'
import { PolicyLinks } from '../../ui/PolicyLinks'
import ui from '../../ui/ui.module.css'
import { LanguageChoice } from './LanguageChoice'
import classes from './welcome.module.css'

export function Footer() {
  const { API_BASE_URL, SUPPORT_URL } = env()
  const signedIn = useSignedIn()
  return (
    <footer className={`${ui.ruled} ${classes.footer}`}>
      <p>{welcome.footer.line}</p>
      <nav aria-label={welcome.footer.label} className={classes.links}>
        <Link to="/channels" className={ui.quietLink}>
          {words.nav.channels}
        </Link>
        <Link to="/demo" className={ui.quietLink}>
          {words.nav.demo}
        </Link>
        <Link to={guidePath} className={ui.quietLink}>
          {welcome.guide}
        </Link>
        <a href={docsPath} hrefLang="en" className={ui.quietLink}>
          {welcome.docs}
        </a>
        <a href={`${API_BASE_URL}/openapi.json`} className={ui.quietLink}>
          {welcome.footer.contract}
        </a>
        <PolicyLinks />
        {SUPPORT_URL && (
          <a href={SUPPORT_URL} className={ui.quietLink}>
            {welcome.footer.support}
          </a>
        )}
      </nav>
      {!signedIn && <LanguageChoice />}
    </footer>
  )
}
