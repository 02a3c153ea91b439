import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { onboarding } from '../../i18n/onboarding'
import { VisuallyHidden } from '../../ui/VisuallyHidden'
import classes from './Progress.module.css'
import { type StepName, steps } from './step'

/** Names the current step and links back to the completed ones. */
export function Progress({ step }: { step: StepName }) {
  const at = steps.indexOf(step)
  return (
    <nav aria-label={onboarding.steps}>
      <ol className={classes.steps}>
        {steps.map((name, index) => (
          <li
            key={name}
            className={classes.step}
            aria-current={index === at ? 'step' : undefined}
            data-done={index <= at || undefined}
          >
            {index < at ? (
              <Link to="/onboarding" search={(before) => ({ ...before, step: name })} className={classes.name}>
                <IconCheck size={16} aria-hidden />
                {onboarding.names[name]}
                <VisuallyHidden>, {onboarding.done}</VisuallyHidden>
              </Link>
            ) : (
              <span className={classes.name}>
                {onboarding.names[name]}
                {index === at && <VisuallyHidden>, {onboarding.progress(at + 1, steps.length)}</VisuallyHidden>}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
