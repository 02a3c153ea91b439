import { Box, Button, Stack, Text } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { IconUser } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { type ChannelMember, channelMembersQuery, joinRequestsQuery } from '../../data/channel-members'
import { channelMembers } from '../../i18n/channel-members'
import { studioPageOf } from '../../lib/paths'
import { agoLabel, dateLabel } from '../../lib/spans'
import { BackLink } from '../../ui/BackLink'
import { LoadMore } from '../../ui/LoadMore'
import { Loaded } from '../../ui/Loaded'
import { Meta } from '../../ui/Meta'
import { Moment } from '../../ui/Moment'
import { PageTitle } from '../../ui/PageTitle'
import { Row } from '../../ui/Row'
import { BlockSkeleton } from '../../ui/skeletons'
import ui from '../../ui/ui.module.css'
import { JoinInvitations } from './JoinInvitations'
import { approveMutation, removeChannelMemberMutation } from './member-mutations'
import { Section } from './Section'

const { requests, members, ...words } = channelMembers

type Props = { channel: Channel }

/** Who is in a private channel, who wants to be, and who is invited. */
export default function ChannelMembers({ channel }: Props) {
  return (
    <>
      <BackLink {...studioPageOf(channel)}>{channel.name}</BackLink>
      <Stack gap={8}>
        <PageTitle>{words.title}</PageTitle>
        <Text c="dimmed">{words.text}</Text>
      </Stack>
      <Stack gap={24}>
        <Requests channel={channel} />
        <Joined channel={channel} />
        <JoinInvitations channel={channel} />
      </Stack>
    </>
  )
}

function Requests({ channel }: Props) {
  const { data = [] } = useQuery(joinRequestsQuery(channel))
  if (data.length === 0) return null
  return (
    <Section title={requests.title}>
      <Box component="ul" className={ui.rows}>
        {data.map((member) => (
          <RequestRow key={member.id} channel={channel} member={member} />
        ))}
      </Box>
    </Section>
  )
}

type RowProps = Props & { member: ChannelMember }

function RequestRow({ channel, member: { id, name: given, since } }: RowProps) {
  const name = given || words.nameless
  const approve = useMutation(approveMutation(channel))
  const refuse = useMutation(removeChannelMemberMutation(channel, 'request'))
  const end = {
    label: requests.refuse,
    name: requests.refuseOf(name),
    question: requests.refuseQuestion(name),
    text: requests.refuseText,
    pending: refuse.isPending,
    onConfirm: () => refuse.mutate(id),
  }
  return (
    <Row icon={<IconUser />} alike name={name} end={end}>
      <Meta>
        <Moment at={since} label={(date) => requests.asked(agoLabel(date))} />
      </Meta>
      <Button
        size="sm"
        mt={4}
        aria-label={requests.approveOf(name)}
        loading={approve.isPending}
        onClick={() => approve.mutate(id)}
      >
        {requests.approve}
      </Button>
    </Row>
  )
}

function Joined({ channel }: Props) {
  const query = useInfiniteQuery(channelMembersQuery(channel))
  return (
    <Section title={members.title}>
      <Loaded query={query} skeleton={<BlockSkeleton height={88} />}>
        {({ pages: [first, ...others] }) =>
          first?.data.length ? (
            <Box component="ul" className={ui.rows}>
              {[first, ...others].flatMap(({ data }) =>
                data.map((member) => <JoinedRow key={member.id} channel={channel} member={member} />),
              )}
            </Box>
          ) : (
            <Text c="dimmed">{members.none}</Text>
          )
        }
      </Loaded>
      <LoadMore query={query} />
    </Section>
  )
}

function JoinedRow({ channel, member: { id, name: given, since } }: RowProps) {
  const name = given || words.nameless
  const remove = useMutation(removeChannelMemberMutation(channel, 'member'))
  const end = {
    label: members.remove,
    name: members.removeOf(name),
    question: members.removeQuestion(name),
    text: members.removeText,
    pending: remove.isPending,
    onConfirm: () => remove.mutate(id),
  }
  return (
    <Row icon={<IconUser />} alike name={name} end={end}>
      <Meta>
        <Moment at={since} label={(date) => words.since(dateLabel(date))} />
      </Meta>
    </Row>
  )
}
