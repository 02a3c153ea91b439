import { IconMailFast } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useSignedIn } from '../../data/useSignedIn'
import { isWaitlisted } from '../../env'
import { waitlist } from '../../i18n/waitlist'
import { waitlistAnchor } from '../../lib/paths'
import { Sent } from './Sent'
import classes from './Join.module.css'
import { JoinForm } from './JoinForm'
import { joinMutation } from './mutations'
import { keptReferral } from './referral'

/** The waiting list's section of the first screen. Renders nothing where anybody may sign up, or after sign-in. */
export function Join() {
  const signedIn = useSignedIn()
  return isWaitlisted() && !signedIn && <Panel />
}

function Panel() {
  const section = useRef<HTMLElement>(null)
  const join = useMutation(joinMutation())
  const [again, setAgain] = useState(false)
  const ledHere = useLocation({ select: ({ hash, state }) => hash === waitlistAnchor && (state.__TSR_key ?? 'first') })
  const restart = () => {
    join.reset()
    setAgain(true)
  }
  // the section is rendered too late for the router to scroll to it
  useEffect(() => {
    if (!ledHere) return
    section.current?.scrollIntoView()
    section.current?.querySelector<HTMLElement>('[type=email]')?.focus({ preventScroll: true })
  }, [ledHere])
  return (
    <section ref={section} id={waitlistAnchor} className={classes.section} aria-labelledby="waitlist">
      <div className={classes.words}>
        <IconMailFast size={40} className={classes.icon} aria-hidden />
        <h2 id="waitlist" className={classes.title}>
          {waitlist.join.title}
        </h2>
        <p className={classes.text}>
          {waitlist.join.text} {waitlist.join.how}
        </p>
        {keptReferral() && <p className={classes.text}>{waitlist.join.referred}</p>}
      </div>
      {join.isSuccess ? <Sent to={join.variables.email} onAgain={restart} /> : <JoinForm join={join} again={again} />}
    </section>
  )
}
