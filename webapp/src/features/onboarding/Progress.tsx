import { Box, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { onboarding } from '../../i18n/onboarding'
import ui from '../../ui/ui.module.css'
import classes from './onboarding.module.css'
import { type StepName, steps } from './step'

/** Names the current step and links back to the completed ones. */
export function Progress({ step }: { step: StepName }) {
  const at = steps.indexOf(step)
  return (
    <nav aria-label={onboarding.steps}>
      <Box component="ol" display="grid" style={{ gridTemplateColumns: 'repeat(3, minmax(0, 1fr))', gap: 8 }}>
        {steps.map((name, index) => (
          <li
            key={name}
            className={classes.step}
            aria-current={index === at ? 'step' : undefined}
            data-done={index <= at || undefined}
          >
            {index < at ? (
              <Link
                to="/onboarding"
                search={(before) => ({ ...before, step: name })}
                className={`${ui.quietLink} ${classes.name}`}
              >
                <IconCheck size={16} aria-hidden />
                {onboarding.names[name]}
                <VisuallyHidden>, {onboarding.done}</VisuallyHidden>
              </Link>
            ) : (
              <span className={`${ui.quietLink} ${classes.name}`}>
                {onboarding.names[name]}
                {index === at && <VisuallyHidden>, {onboarding.progress(at + 1, steps.length)}</VisuallyHidden>}
              </span>
            )}
          </li>
        ))}
      </Box>
    </nav>
  )
}
