import type { ReactNode } from 'react'
import classes from './VisuallyHidden.module.css'

// a block, also where no style sheet is, so that names have a space between it and the text beside it
const block = { display: 'block' }

/** Text for screen readers alone. */
export const VisuallyHidden = ({ role, children }: { role?: 'status'; children: ReactNode }) => (
  <span role={role} className={classes.hidden} style={block}>
    {children}
  </span>
)
