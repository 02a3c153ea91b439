import type { components } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'
import { type ChannelAddress, formatChannel, paramsOf } from '../lib/paths'
import { pagedQuery } from './paged'

export type WebhookSender = components['schemas']['WebhookSenderInput']
export type WebhookSigning = components['schemas']['WebhookSigningInput']
export type WebhookPreviewInput = components['schemas']['WebhookPreviewInput']

export const webhookKeys = {
  all: (channel: ChannelAddress) => ['studio', 'webhooks', formatChannel(channel)] as const,
  events: (channel: ChannelAddress, id: string) => [...webhookKeys.all(channel), id, 'events'] as const,
}

const webhooks = '/channels/{publisherSlug}/{channelSlug}/webhooks'

/** Milliseconds between looks at what has come, while it is shown. */
const looks = 5000

/** The webhooks of a channel, without their secrets, the oldest first. */
export const webhooksQuery = (channel: ChannelAddress) =>
  queryOptions({
    queryKey: webhookKeys.all(channel),
    queryFn: ({ signal }) =>
      everything((query) => call(api().GET(webhooks, { params: { path: paramsOf(channel), query }, signal }))),
  })

/** What a webhook has received, the latest first, looked at again and again while it is shown. */
export const webhookEventsQuery = (channel: ChannelAddress, id: string) => ({
  ...pagedQuery(webhookKeys.events(channel, id), (query, signal) =>
    call(api().GET(`${webhooks}/{id}/events`, { params: { path: { ...paramsOf(channel), id }, query }, signal })),
  ),
  refetchInterval: looks,
})

/** One of these with what was sent. */
export const webhookEventQuery = (channel: ChannelAddress, id: string, eventId: string) =>
  queryOptions({
    queryKey: [...webhookKeys.events(channel, id), eventId],
    queryFn: ({ signal }) =>
      call(
        api().GET(`${webhooks}/{id}/events/{eventId}`, {
          params: { path: { ...paramsOf(channel), id, eventId } },
          signal,
        }),
      ),
  })

/** What something that is sent would be published as. */
export const webhookPreviewQuery = (channel: ChannelAddress, input: WebhookPreviewInput) =>
  queryOptions({
    queryKey: ['studio', 'webhook-preview', formatChannel(channel), input],
    // what is wrong with it stays wrong
    retry: false,
    queryFn: ({ signal }) =>
      call(api().POST(`${webhooks}/preview`, { params: { path: paramsOf(channel) }, body: input, signal })),
  })
