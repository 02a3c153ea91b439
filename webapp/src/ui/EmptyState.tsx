import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageTitle } from './PageTitle'
import classes from './ui.module.css'

type Props = {
  icon: ReactNode
  title: string
  text?: string
  children?: ReactNode
  role?: 'alert'
  /** The title is that of the page. */
  heading?: boolean
  /** Without an edge, as in a card. */
  bare?: boolean
}

/** Says why there is nothing here and what to do about it. */
export function EmptyState({ icon, title, text, children, role, heading = false, bare = false }: Props) {
  return (
    <div role={role} className={classes.empty} data-bare={bare || undefined}>
      <span className={classes.emblem} aria-hidden>
        {icon}
      </span>
      {heading ? (
        <PageTitle size={22}>{title}</PageTitle>
      ) : (
        <Text fz={17} fw={600}>
          {title}
        </Text>
      )}
      {text && (
        <Text maw="44ch" mb={8} c="dimmed" textWrap="balance">
          {text}
        </Text>
      )}
      {children}
    </div>
  )
}
