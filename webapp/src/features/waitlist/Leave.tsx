import { Button, Text } from '@mantine/core'
import { IconDoorExit } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { waitlist } from '../../i18n/waitlist'
import { Card } from '../../ui/Card'
import { Left } from './Left'
import { leaveMutation } from './mutations'

/**
 * Target of the link to leave that is in every email. Opening it changes nothing, so mail scanners that follow links
 * neither confirm nor delete an entry.
 */
export function Leave({ token }: { token: string }) {
  const leave = useMutation(leaveMutation(token))
  if (leave.isSuccess) return <Left />
  return (
    <Card icon={<IconDoorExit size={40} aria-hidden />} title={waitlist.place.leaveQuestion}>
      <Text c="dimmed">{waitlist.place.leaveText}</Text>
      <Button color="danger" fullWidth loading={leave.isPending} onClick={() => leave.mutate()}>
        {waitlist.place.leave}
      </Button>
      <Button component="a" href={`/waitlist/${encodeURIComponent(token)}`} variant="default" fullWidth>
        {waitlist.place.stay}
      </Button>
    </Card>
  )
}
