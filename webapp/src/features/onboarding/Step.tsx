import { Button, Stack, Text } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { onboarding } from '../../i18n/onboarding'
import { focusHeading } from '../../lib/focus'
import { PageTitle } from '../../ui/PageTitle'
import { PolicyLine } from '../../ui/PolicyLinks'
import { Progress } from './Progress'
import classes from './onboarding.module.css'
import { type StepName, steps } from './step'

type Props = {
  step: StepName
  text: string
  children: ReactNode
  /** Makes the next button less prominent, when the step itself has something to do first. */
  quiet?: boolean
  /** What the step is for. It takes the place of the next button, and can be put off. */
  action?: { label: string; pending: boolean; onClick: () => void }
  onNext: () => void
  onBack?: () => void
  /** Skips all remaining steps. */
  onSkip: () => void
  saving: boolean
}

/** One onboarding step with its heading, progress and navigation. */
export function Step({ step, text, children, quiet = false, action, onNext, onBack, onSkip, saving }: Props) {
  const last = step === steps.at(-1)
  // so that screen readers announce the new step
  useEffect(() => void focusHeading(), [])
  return (
    <section className={classes.page}>
      <Progress step={step} />
      <Stack gap={8}>
        <PageTitle>{onboarding[step].title}</PageTitle>
        <Text c="dimmed">{text}</Text>
      </Stack>
      {children}
      <div className={classes.actions}>
        {onBack && (
          <Button
            variant="subtle"
            className={classes.back}
            aria-label={onboarding.back}
            leftSection={<IconChevronLeft size={20} aria-hidden />}
            onClick={onBack}
          >
            {onboarding.back}
          </Button>
        )}
        {(!last || action) && (
          <Button variant="subtle" disabled={saving} onClick={onSkip}>
            {last ? onboarding.notifications.notNow : onboarding.skip}
          </Button>
        )}
        <Button
          variant={quiet ? 'default' : 'filled'}
          className={classes.next}
          loading={action?.pending ?? saving}
          onClick={action?.onClick ?? onNext}
        >
          {action?.label ?? (last ? onboarding.finish : onboarding.next)}
        </Button>
      </div>
      {step === steps[0] && <PolicyLine />}
    </section>
  )
}
