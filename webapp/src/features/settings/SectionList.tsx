import { IconChevronRight, IconShieldCog } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { settings } from '../../i18n/settings'
import classes from './SectionList.module.css'
import type { Section, SectionName } from './section'
import { useSummaries } from './useSummaries'

type Props = {
  sections: readonly Section[]
  /** The section that is shown beside the list. Without it, the list is a screen of its own. */
  current?: SectionName
  operator?: boolean
  /** A button that is rendered as the last row. */
  children: ReactNode
}

/** Leads to the sections and, operators, to their screens. */
export function SectionList({ sections, current, operator, children }: Props) {
  const summaries = useSummaries({ enabled: !current })
  return (
    <div className={current ? classes.beside : classes.screen}>
      <nav aria-label={settings.parts}>
        <ul className={classes.list}>
          {sections.map(({ name, Icon }) => (
            <li key={name}>
              <Link
                to="/settings/$section"
                params={{ section: name }}
                state={{ fromList: !current }}
                aria-current={name === current ? 'page' : undefined}
                className={classes.row}
              >
                <Icon aria-hidden className={classes.icon} />
                <span className={classes.words}>
                  <span className={classes.name}>{settings.sections[name].title}</span>
                  {!current && (
                    <span className={classes.text} dir="auto">
                      {summaries[name] ?? settings.sections[name].text}
                    </span>
                  )}
                </span>
                {!current && <IconChevronRight size={20} aria-hidden className={classes.chevron} />}
              </Link>
            </li>
          ))}
          {operator && (
            <li>
              <Link to="/admin/$" params={{ _splat: '' }} className={classes.row}>
                <IconShieldCog aria-hidden className={classes.icon} />
                <span className={`${classes.words} ${classes.name}`}>{settings.operators}</span>
                {!current && <IconChevronRight size={20} aria-hidden className={classes.chevron} />}
              </Link>
            </li>
          )}
        </ul>
      </nav>
      <div className={classes.foot}>{children}</div>
    </div>
  )
}
