import { Box, Button, Paper, Stack, Text } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { webhooksQuery } from '../../data/webhooks'
import { webhooks as words } from '../../i18n/webhooks'
import { studioPageOf } from '../../lib/paths'
import { BackLink } from '../../ui/BackLink'
import { Loaded } from '../../ui/Loaded'
import { PageTitle } from '../../ui/PageTitle'
import { BlockSkeleton } from '../../ui/skeletons'
import { onDemand } from '../../ui/onDemand'
import ui from '../../ui/ui.module.css'
import { webhookCall } from './snippets'
import { createWebhookMutation } from './webhook-mutations'
import { WebhookForm } from './WebhookForm'
import { WebhookRow } from './WebhookRow'

const Automation = onDemand(() => import('./Automation'))

type Props = {
  channel: Channel
  /** The id of the webhook that is unfolded. */
  opened?: string
  onOpen: (id: string | undefined) => void
}

/** The programs that publish in a channel, each by a webhook. */
export default function Webhooks({ channel, opened, onOpen }: Props) {
  const query = useQuery(webhooksQuery(channel))
  const create = useMutation(createWebhookMutation(channel))
  const [writing, setWriting] = useState(false)
  const { data: made } = create
  const show = (id: string) => {
    setWriting(false)
    onOpen(id)
  }
  return (
    <>
      <BackLink {...studioPageOf(channel)}>{channel.name}</BackLink>
      <Stack gap={8}>
        <PageTitle>{words.title}</PageTitle>
        <Text c="dimmed">{words.text}</Text>
      </Stack>
      <Paper withBorder className={ui.card}>
        <Loaded query={query} skeleton={<BlockSkeleton height={88} />}>
          {(webhooks) =>
            webhooks.length === 0 ? (
              <Text c="dimmed" mb={16}>
                {words.none}
              </Text>
            ) : (
              <Box component="ul" className={ui.rows}>
                {webhooks.map((webhook) => (
                  <WebhookRow
                    key={webhook.id}
                    channel={channel}
                    webhook={webhook}
                    created={made?.id === webhook.id ? made.secret : undefined}
                    onKept={create.reset}
                    open={webhook.id === opened}
                    onChange={(open) => onOpen(open ? webhook.id : undefined)}
                  />
                ))}
              </Box>
            )
          }
        </Loaded>
        {writing ? (
          <WebhookForm
            pending={create.isPending}
            onSave={(input) => create.mutate(input, { onSuccess: ({ id }) => show(id) })}
            onDone={() => setWriting(false)}
          />
        ) : (
          <div>
            <Button variant="default" leftSection={<IconPlus size={20} aria-hidden />} onClick={() => setWriting(true)}>
              {words.add}
            </Button>
          </div>
        )}
      </Paper>
      <Automation call={webhookCall(channel)} />
    </>
  )
}
