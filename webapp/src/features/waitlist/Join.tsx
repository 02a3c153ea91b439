import { Stack, Text, Title } from '@mantine/core'
import { IconMailFast } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useSignedIn } from '../../data/useSignedIn'
import { isWaitlisted } from '../../env'
import { waitlist } from '../../i18n/waitlist'
import { waitlistAnchor } from '../../lib/paths'
import { Sent } from './Sent'
import classes from './waitlist.module.css'
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
  const email = useRef<HTMLInputElement>(null)
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
    email.current?.focus({ preventScroll: true })
  }, [ledHere])
  return (
    <section ref={section} id={waitlistAnchor} className={classes.join} aria-labelledby="waitlist">
      <Stack gap={12}>
        <IconMailFast size={40} color="var(--accent)" aria-hidden />
        <Title id="waitlist" order={2} fz={{ base: 24, sm: 28 }} fw={720} textWrap="balance">
          {waitlist.join.title}
        </Title>
        <Text maw="48ch">
          {waitlist.join.text} {waitlist.join.how}
        </Text>
        {keptReferral() && <Text maw="48ch">{waitlist.join.referred}</Text>}
      </Stack>
      {join.isSuccess ? (
        <Sent to={join.variables.email} onAgain={restart} />
      ) : (
        <JoinForm join={join} again={again} field={email} />
      )}
    </section>
  )
}
