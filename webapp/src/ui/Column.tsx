import type { ReactNode } from 'react'
import classes from './Column.module.css'

/** The reading column, 640 px, and what stands beside it where there is room. */
export function Column({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className={classes.page}>
      <div className={classes.column}>{children}</div>
      {aside && <div className={classes.aside}>{aside}</div>}
    </div>
  )
}
