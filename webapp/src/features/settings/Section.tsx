import { type ReactNode, useId } from 'react'
import classes from './Section.module.css'

type Props = { title: string; children: ReactNode; /** The section's fragment in the URL. */ hash?: string }

export function Section({ title, children, hash }: Props) {
  const id = useId()
  return (
    <section id={hash} aria-labelledby={id} className={classes.section}>
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      {children}
    </section>
  )
}
