import { Button, Stack, Text } from '@mantine/core'
import type { WaitlistPlace } from '@sininho/sdk'
import { IconLinkOff, IconMailHeart, IconRosetteDiscountCheck } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { placeQuery } from '../../data/waitlist'
import { waitlist } from '../../i18n/waitlist'
import { Card } from '../../ui/Card'
import { ConfirmButton } from '../../ui/ConfirmButton'
import { LinkButton } from '../../ui/LinkButton'
import { Loaded } from '../../ui/Loaded'
import { PageTitle } from '../../ui/PageTitle'
import { BlockSkeleton } from '../../ui/skeletons'
import { Back } from './Back'
import { Left } from './Left'
import { Standing } from './Standing'
import { leaveMutation } from './mutations'

/** Target of the link in the waiting list's emails. */
export function Place({ token }: { token: string }) {
  const place = useQuery(placeQuery(token))
  const leave = useMutation(leaveMutation(token))
  if (leave.isSuccess) return <Left />
  if (place.data === undefined) {
    return (
      <Stack gap={24} maw={560} mx="auto" py="4vh 32px">
        <PageTitle>{waitlist.place.list}</PageTitle>
        <Loaded query={place} skeleton={<BlockSkeleton label={waitlist.place.loading} height={520} />}>
          {() => null}
        </Loaded>
      </Stack>
    )
  }
  if (place.data === null) return <Unknown />
  const leaving = (
    <ConfirmButton
      size="sm"
      variant="subtle"
      loading={leave.isPending}
      question={waitlist.place.leaveQuestion}
      text={place.data.status === 'invited' ? waitlist.place.leaveTextInvited : waitlist.place.leaveText}
      onConfirm={() => leave.mutate()}
    >
      {waitlist.place.leave}
    </ConfirmButton>
  )
  switch (place.data.status) {
    case 'invited':
      return <Invited place={place.data}>{leaving}</Invited>
    case 'joined':
      return <Joined place={place.data} />
    default:
      return <Standing place={place.data}>{leaving}</Standing>
  }
}

function Invited({ place, children }: { place: WaitlistPlace; children: ReactNode }) {
  return (
    <Card icon={<IconMailHeart size={40} aria-hidden />} title={waitlist.place.invited}>
      <Text c="dimmed">{waitlist.place.invitedText}</Text>
      <Button component="a" href={place.invitationUrl} fullWidth>
        {waitlist.place.enter}
      </Button>
      {children}
    </Card>
  )
}

function Joined({ place }: { place: WaitlistPlace }) {
  return (
    <Card icon={<IconRosetteDiscountCheck size={40} aria-hidden />} title={waitlist.place.joined}>
      <Text c="dimmed">{waitlist.place.joinedText(place.email)}</Text>
      <LinkButton to="/feed" fullWidth>
        {waitlist.place.feed}
      </LinkButton>
    </Card>
  )
}

function Unknown() {
  return (
    <Card icon={<IconLinkOff size={40} aria-hidden />} title={waitlist.place.unknown}>
      <Text c="dimmed">{waitlist.place.unknownText}</Text>
      <Back />
    </Card>
  )
}
