import { Group, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { feedQuery } from '../data/notifications'
import { useSignedIn } from '../data/useSignedIn'
import { Awaited } from '../features/demo/Awaited'
import { Commands } from '../features/demo/Commands'
import { Composer } from '../features/demo/Composer'
import { LiveBadge } from '../features/demo/LiveBadge'
import { Receive } from '../features/demo/Receive'
import { demoChannel } from '../features/demo/channel'
import { type DemoMessage, firstMessage } from '../features/demo/message'
import { LoadedNotifications } from '../features/feed/LoadedNotifications'
import { useLiveChannel } from '../features/feed/useLiveChannel'
import { PushPanel } from '../features/push/PushPanel'
import { TestButton } from '../features/push/TestButton'
import { demo } from '../i18n/demo'
import { PageTitle } from '../ui/PageTitle'
import classes from './routes.module.css'

export const Route = createFileRoute('/demo')({
  loader: ({ context: { queryClient } }) => void queryClient.prefetchInfiniteQuery(feedQuery({ channel: demoChannel })),
  component: Demo,
})

function Demo() {
  const client = useQueryClient()
  const signedIn = useSignedIn()
  const [message, setMessage] = useState<DemoMessage>(firstMessage)
  const [sent, setSent] = useState<string[]>([])
  const live = useLiveChannel(demoChannel)
  const showSent = (id: string) => {
    setSent((before) => [...before, id])
    // without a live stream the list has to be fetched
    if (!live) void client.invalidateQueries({ queryKey: feedQuery({ channel: demoChannel }).queryKey })
  }
  return (
    <div className={classes.demo}>
      <Stack gap={8} style={{ gridArea: 'head' }}>
        <PageTitle>{demo.title}</PageTitle>
        <Text c="dimmed">{demo.text}</Text>
      </Stack>
      <Composer message={message} onChange={setMessage} onSent={showSent} />
      <Stack
        component="section"
        aria-label={demo.arrivals}
        className={classes.ofChannel}
        style={{ gridArea: 'arrivals' }}
      >
        <Group wrap="nowrap" justify="space-between" gap={16}>
          <Title order={2} size="h3">
            {demo.arrivals}
          </Title>
          <LiveBadge live={live} />
        </Group>
        <LoadedNotifications
          view={{ channel: demoChannel }}
          own={sent}
          first={5}
          empty={<Awaited message={message} />}
        />
      </Stack>
      <Stack gap={24} style={{ gridArea: 'more' }}>
        <Receive
          signedIn={signedIn}
          push={
            <>
              <PushPanel />
              <TestButton />
            </>
          }
        />
        <Commands message={message} />
      </Stack>
    </div>
  )
}
