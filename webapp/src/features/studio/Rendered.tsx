import { Text } from '@mantine/core'
import type { Channel } from '@sininho/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type WebhookPreviewInput, webhookPreviewQuery } from '../../data/webhooks'
import { webhooks } from '../../i18n/webhooks'
import { Loaded } from '../../ui/Loaded'
import { BlockSkeleton } from '../../ui/skeletons'
import { messageOf } from './message'
import { Preview } from './Preview'

const { why } = webhooks.events

/** How readers would see what a program sends, or why they would not. */
export function Rendered({ channel, input }: { channel: Channel; input: WebhookPreviewInput }) {
  const query = useQuery({ ...webhookPreviewQuery(channel, input), placeholderData: keepPreviousData })
  return (
    <Loaded query={query} skeleton={<BlockSkeleton height={240} />}>
      {({ outcome, detail, notification }) =>
        notification ? (
          <Preview channel={channel} message={messageOf(notification)} />
        ) : (
          <Text role="status">
            {why[outcome]}{' '}
            <Text span c="dimmed" fz="sm" lang="en">
              {detail}
            </Text>
          </Text>
        )
      }
    </Loaded>
  )
}
