import { Fragment } from 'react'
import classes from './AccessTokens.module.css'

/** What is known of something, on one line or with breaks between the parts. */
export function Meta({ children }: { children: readonly (string | false | undefined)[] }) {
  return (
    <p className={classes.meta}>
      {children.filter(Boolean).map((part, index) => (
        <Fragment key={part as string}>
          {index > 0 && ' · '}
          <span>{part}</span>
        </Fragment>
      ))}
    </p>
  )
}
