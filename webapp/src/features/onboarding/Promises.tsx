import { IconCheck } from '@tabler/icons-react'
import { onboarding } from '../../i18n/onboarding'
import classes from './Promises.module.css'

/** What somebody who turns notifications on can count on. */
export const Promises = () => (
  <ul className={classes.promises}>
    {onboarding.notifications.promises.map((promise) => (
      <li key={promise} className={classes.promise}>
        <IconCheck size={20} className={classes.check} aria-hidden />
        {promise}
      </li>
    ))}
  </ul>
)
