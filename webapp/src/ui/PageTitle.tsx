import { Group, Title, type TitleProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { words } from '../i18n/words'

type Props = Pick<TitleProps, 'size' | 'className'> & {
  /** Text of the heading and of the window's title. */
  children: string
  /** Number of unread items, shown before the window's title. */
  unread?: number
  /** Rendered beside the heading. */
  actions?: ReactNode
}

/** The only level-1 heading of a screen. It receives the focus after a navigation. */
export function PageTitle({ children, unread = 0, actions, ...look }: Props) {
  const title = `${children} · ${words.appName}`
  return (
    <Group justify="space-between" gap="8px 16px">
      <title>{unread > 0 ? `(${unread}) ${title}` : title}</title>
      <Title textWrap="balance" tabIndex={-1} dir="auto" {...look}>
        {children}
      </Title>
      {actions && <Group>{actions}</Group>}
    </Group>
  )
}
