import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

type Props = { icon: ReactNode; title: string; text?: string; children?: ReactNode; role?: 'alert' }

/** Says why there is nothing here and what to do about it. */
export function EmptyState({ icon, title, text, children, role }: Props) {
  return (
    <div className={classes.root} role={role}>
      <div className={classes.icon} aria-hidden>
        {icon}
      </div>
      <p className={classes.title}>{title}</p>
      {text && <p className={classes.text}>{text}</p>}
      {children}
    </div>
  )
}
