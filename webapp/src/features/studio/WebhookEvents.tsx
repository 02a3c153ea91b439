import type { Channel, Webhook } from '@sininho/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { webhookEventsQuery } from '../../data/webhooks'
import { webhooks } from '../../i18n/webhooks'
import { Log } from './Log'
import { WebhookEventRow } from './WebhookEventRow'

const words = webhooks.events

/** What a webhook received, the latest first, and what became of it. */
export const WebhookEvents = ({ channel, webhook }: { channel: Channel; webhook: Webhook }) => (
  <Log title={words.title} none={words.none} query={useInfiniteQuery(webhookEventsQuery(channel, webhook.id))}>
    {(event) => <WebhookEventRow key={event.id} channel={channel} webhook={webhook} event={event} />}
  </Log>
)
