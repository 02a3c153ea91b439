import type { ReactNode } from 'react'
import classes from './VisuallyHidden.module.css'

/** Text for screen readers alone. */
export const VisuallyHidden = ({ role, children }: { role?: 'status'; children: ReactNode }) => (
  <span role={role} className={classes.hidden}>
    {children}
  </span>
)
