import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { demo } from '../../i18n/demo'
import { Button } from '../../ui/Button'
import classes from './Receive.module.css'

type Props = {
  signedIn: boolean
  /** Control that turns on and tests this device's notifications. */
  push: ReactNode
}

/** Leads step by step to a real system notification. */
export function Receive({ signedIn, push }: Props) {
  return (
    <section className={classes.receive} aria-labelledby="receive">
      <h2 id="receive" className={classes.title}>
        {demo.receive.title}
      </h2>
      <p className={classes.text}>{demo.receive.text}</p>
      {signedIn ? (
        push
      ) : (
        <Button
          variant="default"
          size="md"
          renderRoot={(props) => <Link {...props} to="/login" search={{ redirect: '/demo' }} />}
        >
          {demo.receive.signIn}
        </Button>
      )}
    </section>
  )
}
