import { Link } from '@tanstack/react-router'
import { useSignedIn } from '../../data/useSignedIn'
import { env } from '../../env'
import { words } from '../../i18n/words'
import { welcome } from '../../i18n/welcome'
import { docsPath } from '../../lib/paths'
import { PolicyLinks } from '../../ui/PolicyLinks'
import classes from './Footer.module.css'
import { LanguageChoice } from './LanguageChoice'

export function Footer() {
  const { API_BASE_URL, SUPPORT_URL } = env()
  const signedIn = useSignedIn()
  return (
    <footer className={classes.footer}>
      <p>{welcome.footer.line}</p>
      <nav aria-label={welcome.footer.label} className={classes.links}>
        <Link to="/channels" className={classes.link}>
          {words.nav.channels}
        </Link>
        <Link to="/demo" className={classes.link}>
          {words.nav.demo}
        </Link>
        <a href={docsPath} hrefLang="en" className={classes.link}>
          {welcome.docs}
        </a>
        <a href={`${API_BASE_URL}/openapi.json`} className={classes.link}>
          {welcome.footer.contract}
        </a>
        <PolicyLinks className={classes.link} />
        {SUPPORT_URL && (
          <a href={SUPPORT_URL} className={classes.link}>
            {welcome.footer.support}
          </a>
        )}
      </nav>
      {!signedIn && <LanguageChoice />}
    </footer>
  )
}
