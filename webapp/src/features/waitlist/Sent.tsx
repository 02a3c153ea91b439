import { useEffect, useRef } from 'react'
import { waitlist } from '../../i18n/waitlist'
import { Button } from '../../ui/Button'
import classes from './Join.module.css'

/** Says what happens next, the same whether or not the list knew the address. Takes the focus from the form. */
export function Sent({ to, onAgain }: { to: string; onAgain: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={classes.form}>
      <h3 ref={heading} tabIndex={-1} className={classes.sent}>
        {waitlist.join.sent}
      </h3>
      <p className={classes.step}>{waitlist.join.sentText(to)}</p>
      <p className={classes.note}>{waitlist.join.sentLate}</p>
      <Button variant="default" onClick={onAgain}>
        {waitlist.join.again}
      </Button>
    </div>
  )
}
