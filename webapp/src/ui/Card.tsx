import type { ReactNode } from 'react'
import classes from './Card.module.css'
import { PageTitle } from './PageTitle'

/** A page with a single purpose. */
export function Card({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <section className={classes.card}>
      {icon}
      <PageTitle className={classes.title}>{title}</PageTitle>
      {children}
    </section>
  )
}
