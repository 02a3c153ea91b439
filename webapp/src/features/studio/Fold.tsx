import { Text, UnstyledButton } from '@mantine/core'
import { useUncontrolled } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Meta } from '../../ui/Meta'
import classes from './studio.module.css'

type Props = {
  summary: ReactNode
  /** Whether it is unfolded, where that is part of the address. */
  open?: boolean
  onChange?: (open: boolean) => void
  children: ReactNode
}

/** A line that, pressed, shows what is below it. */
export function Fold({ summary, open, onChange, children }: Props) {
  const [unfolded, setUnfolded] = useUncontrolled({ value: open, defaultValue: false, onChange })
  return (
    <>
      <UnstyledButton className={classes.fold} aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
        {summary}
        <IconChevronDown size={20} aria-hidden className={classes.chevron} />
      </UnstyledButton>
      {unfolded && <div className={classes.unfolded}>{children}</div>}
    </>
  )
}

/** What such a line says: a name, and below it what is known of it. */
export const Summary = ({ name, lang, children }: { name: string; lang?: string; children: ReactNode }) => (
  <span className={classes.grow}>
    <Text span display="block" fw={550} lang={lang} dir="auto">
      {name}
    </Text>
    <Meta>{children}</Meta>
  </span>
)
