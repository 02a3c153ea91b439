import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { pt } from '../../i18n/pt'
import { PageTitle } from '../../ui/PageTitle'
import classes from './Steps.module.css'

type Props = {
  step: number
  of: number
  title: string
  text: string
  children: ReactNode
  next: { label: string; onClick: () => void; quiet?: boolean }
  onBack?: () => void
  saving: boolean
}

/** One step of several: what it asks, where one is, the way on and back. */
export function Step({ step, of, title, text, children, next, onBack, saving }: Props) {
  return (
    <section className={classes.step}>
      <div className={classes.progress} role="img" aria-label={pt.onboarding.progress(step, of)}>
        {Array.from({ length: of }, (_, index) => (
          <span key={index} data-done={index < step || undefined} />
        ))}
      </div>
      <div className={classes.head}>
        <PageTitle>{title}</PageTitle>
        <p className={classes.text}>{text}</p>
      </div>
      {children}
      <div className={classes.actions}>
        {onBack && (
          <Button variant="subtle" size="md" onClick={onBack}>
            {pt.onboarding.back}
          </Button>
        )}
        <Button
          size="md"
          variant={next.quiet ? 'default' : 'filled'}
          className={classes.next}
          loading={saving}
          onClick={next.onClick}
        >
          {next.label}
        </Button>
      </div>
    </section>
  )
}
