import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pt } from '../../i18n/pt'
import classes from './Receive.module.css'

type Props = {
  signedIn: boolean
  /** Turns this device's notifications on, and tries them. */
  push: ReactNode
}

/** The way to a real notification of the system, one step at a time. */
export function Receive({ signedIn, push }: Props) {
  return (
    <section className={classes.receive} aria-labelledby="receive">
      <h2 id="receive" className={classes.title}>
        {pt.demo.receive.title}
      </h2>
      <p className={classes.text}>{pt.demo.receive.text}</p>
      {signedIn ? (
        push
      ) : (
        <Button
          variant="default"
          size="md"
          renderRoot={(props) => <Link {...props} to="/login" search={{ redirect: '/demo' }} />}
        >
          {pt.demo.receive.signIn}
        </Button>
      )}
    </section>
  )
}
