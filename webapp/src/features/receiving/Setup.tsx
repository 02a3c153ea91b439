import { Button, Flex, Group, Skeleton, Text } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { IconBellRinging } from '@tabler/icons-react'
import { useMutation, useQueries } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { channelQuery, suspended } from '../../data/channels'
import { usePush } from '../../data/usePush'
import { useMayFollow, useSignedIn } from '../../data/useSignedIn'
import { setup } from '../../i18n/setup'
import { words } from '../../i18n/words'
import { setTextLarge, showTextLarge } from '../../lib/large-text'
import { speak } from '../../lib/language'
import { iconOf } from '../../lib/pictures'
import { PushError } from '../../lib/push/registration'
import { formatSearch } from '../../lib/search'
import { type Setup as Wanted, searchOfSetup } from '../../lib/setup-link'
import { Card } from '../../ui/Card'
import { ChannelIcon } from '../../ui/ChannelIcon'
import { LinkButton } from '../../ui/LinkButton'
import { onDemand } from '../../ui/onDemand'
import ui from '../../ui/ui.module.css'
import { receiveMutation } from './mutations'

const HomeScreen = onDemand(() => import('./HomeScreen'))

/** Sets this device up as somebody else has chosen: with one tap it receives the channels, in a language and size. */
export function Setup({ wanted }: { wanted: Wanted }) {
  const queries = useQueries({ queries: wanted.channels.map((each) => channelQuery(each)) })
  useEffect(() => {
    if (wanted.language) speak(wanted.language)
  }, [wanted.language])
  useEffect(() => {
    if (wanted.large) showTextLarge(true)
    return () => void showTextLarge()
  }, [wanted.large])
  if (queries.some(({ isPending }) => isPending))
    return <Skeleton height={420} maw={416} mt="8vh" mx="auto" radius={16} />
  const channels = queries.flatMap(({ data }) => (data && data !== suspended ? data : []))
  return (
    <Card icon={<IconBellRinging size={40} aria-hidden />} title={setup.ready}>
      <Text c="dimmed">{channels.length > 0 ? setup.promise : setup.missing}</Text>
      <Flex component="ul" direction="column" gap={12} w="100%" ta="start">
        {channels.map((channel) => (
          <Group component="li" key={channel.id} wrap="nowrap" gap={12}>
            <ChannelIcon icon={iconOf(channel, 'portrait')} name={channel.name} size={56} />
            <Text fw={600} dir="auto">
              {channel.name}
            </Text>
          </Group>
        ))}
      </Flex>
      {channels.length > 0 && <ReceiveAll channels={channels} wanted={wanted} />}
    </Card>
  )
}

/** The one tap. Where nobody follows without an account, a visitor signs in first. */
function ReceiveAll({ channels, wanted }: { channels: Channel[]; wanted: Wanted }) {
  const [visitor, signedIn] = [useMayFollow(), useSignedIn()]
  const { state } = usePush()
  const [steps, setSteps] = useState(false)
  const navigate = useNavigate()
  const here = useLocation({ select: ({ href }) => href })
  const receiving = useMutation(receiveMutation())
  if (!visitor && !signedIn) {
    return (
      <LinkButton fullWidth to="/login" search={{ redirect: here }}>
        {setup.receive}
      </LinkButton>
    )
  }
  const receive = () => {
    if (state === 'install') return setSteps(true)
    if (wanted.large) setTextLarge(true)
    receiving.mutate(
      { channels, visitor },
      { onSuccess: (device) => (device instanceof PushError ? undefined : navigate({ to: '/feed' })) },
    )
  }
  return (
    <>
      <Button fullWidth size="lg" loading={receiving.isPending} onClick={receive}>
        {setup.receive}
      </Button>
      {steps && <HomeScreen query={formatSearch(searchOfSetup(wanted)).slice(1)} after={setup.after} />}
      {receiving.data instanceof PushError && (
        <>
          <Text role="status" ta="start" className={ui.note}>
            {receiving.data.message}
          </Text>
          <LinkButton fullWidth variant="default" to="/feed">
            {words.nav.feed}
          </LinkButton>
        </>
      )}
    </>
  )
}
