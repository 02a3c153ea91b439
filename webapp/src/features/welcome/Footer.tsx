import { Link } from '@tanstack/react-router'
import { env } from '../../env'
import { pt } from '../../i18n/pt'
import { PolicyLinks } from '../../ui/PolicyLinks'
import classes from './Footer.module.css'

export function Footer() {
  const { API_BASE_URL, SUPPORT_URL } = env()
  return (
    <footer className={classes.footer}>
      <p>{pt.index.footer.line}</p>
      <nav aria-label={pt.index.footer.label} className={classes.links}>
        <Link to="/channels" className={classes.link}>
          {pt.nav.channels}
        </Link>
        <Link to="/demo" className={classes.link}>
          {pt.nav.demo}
        </Link>
        <a href={`${API_BASE_URL}/openapi.json`} className={classes.link}>
          {pt.index.footer.contract}
        </a>
        <PolicyLinks className={classes.link} />
        {SUPPORT_URL && (
          <a href={SUPPORT_URL} className={classes.link}>
            {pt.index.footer.support}
          </a>
        )}
      </nav>
    </footer>
  )
}
