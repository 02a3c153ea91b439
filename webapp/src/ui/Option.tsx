import { NavLink } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  label: string
  leftSection?: ReactNode
  rightSection?: ReactNode
  active?: boolean
  'aria-pressed'?: boolean
  onClick: () => void
}

/** With large text, what is at the end of its line is below. */
const styles = { root: { flexWrap: 'wrap' }, body: { flex: 'auto' } } as const

/** One of the choices of a dialog. */
export const Option = (props: Props) => <NavLink component="button" mih={44} bdrs={10} styles={styles} {...props} />
