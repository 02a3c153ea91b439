import type { ReactNode } from 'react'
import classes from './ui.module.css'

type Props = { children: ReactNode; aside?: ReactNode; wide?: boolean }

/** The reading column of 640 px, with `aside` beside it where there is room. A wide one also takes that room. */
export function Column({ children, aside, wide }: Props) {
  return (
    <div className={classes.columns} data-wide={wide}>
      <div className={classes.main}>{children}</div>
      {aside && <div className={classes.aside}>{aside}</div>}
    </div>
  )
}
