import type { ReactNode } from 'react'
import classes from './Column.module.css'

/** The reading column of 640 px, with `aside` beside it where there is room. */
export function Column({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className={classes.page}>
      <div className={classes.column}>{children}</div>
      {aside && <div className={classes.aside}>{aside}</div>}
    </div>
  )
}
