import { Link } from '@tanstack/react-router'
import { pt } from '../../i18n/pt'
import classes from './Contents.module.css'

/** Links to the sections of the page, shown where there is room beside it. */
export function Contents({ sections }: { sections: readonly { hash: string; title: string }[] }) {
  return (
    <nav aria-label={pt.settings.contents} className={classes.nav}>
      <ul>
        {sections.map(({ hash, title }) => (
          <li key={hash}>
            <Link to="/settings" hash={hash} activeOptions={{ includeHash: true }} className={classes.link}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
