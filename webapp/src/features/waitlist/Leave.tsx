import { IconDoorExit } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { waitlist } from '../../i18n/waitlist'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Left } from './Left'
import classes from './Place.module.css'
import { leaveMutation } from './mutations'

/**
 * Target of the link to leave that is in every email. Opening it changes nothing, so mail scanners that follow links
 * neither confirm nor delete an entry.
 */
export function Leave({ token }: { token: string }) {
  const leave = useMutation(leaveMutation(useQueryClient(), token))
  if (leave.isSuccess) return <Left />
  return (
    <Card icon={<IconDoorExit size={40} aria-hidden />} title={waitlist.place.leaveQuestion}>
      <p className={classes.text}>{waitlist.place.leaveText}</p>
      <Button danger size="md" fullWidth loading={leave.isPending} onClick={() => leave.mutate()}>
        {waitlist.place.leave}
      </Button>
      <Button component="a" href={`/waitlist/${encodeURIComponent(token)}`} variant="default" size="md" fullWidth>
        {waitlist.place.stay}
      </Button>
    </Card>
  )
}
