import type { ReactNode } from 'react'
import { pt } from '../i18n/pt'
import classes from './PageTitle.module.css'

type Props = {
  /** The heading's and the window's text. */
  children: string
  /** How many things wait, shown before the window's title. */
  unread?: number
  /** Beside the heading. */
  actions?: ReactNode
  className?: string
}

/** The one level-1 heading of a screen; it takes the focus on navigation. */
export function PageTitle({ children, unread = 0, actions, className }: Props) {
  const title = `${children} · ${pt.appName}`
  return (
    <div className={classes.row}>
      <title>{unread > 0 ? `(${unread}) ${title}` : title}</title>
      <h1 className={className ?? classes.title} tabIndex={-1}>
        {children}
      </h1>
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
  )
}
