import type { ReactNode } from 'react'
import { words } from '../i18n/words'
import classes from './PageTitle.module.css'

type Props = {
  /** Text of the heading and of the window's title. */
  children: string
  /** Number of unread items, shown before the window's title. */
  unread?: number
  /** Rendered beside the heading. */
  actions?: ReactNode
  className?: string
}

/** The only level-1 heading of a screen. It receives the focus after a navigation. */
export function PageTitle({ children, unread = 0, actions, className }: Props) {
  const title = `${children} · ${words.appName}`
  return (
    <div className={classes.row}>
      <title>{unread > 0 ? `(${unread}) ${title}` : title}</title>
      <h1 className={className ?? classes.title} tabIndex={-1} dir="auto">
        {children}
      </h1>
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
  )
}
