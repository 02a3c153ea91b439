import type { components, WebhookEvent, WebhookInput, WebhookPatch } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { studioKeys } from '../../data/studio'
import { webhookKeys } from '../../data/webhooks'
import { webhooks as words } from '../../i18n/webhooks'
import { api, call } from '../../lib/api'
import { type ChannelAddress, paramsOf } from '../../lib/paths'

type Rotation = components['schemas']['WebhookRotation']

const webhooks = '/channels/{publisherSlug}/{channelSlug}/webhooks'

export const createWebhookMutation = (channel: ChannelAddress) =>
  mutationOptions({
    mutationFn: (body: WebhookInput) => call(api().POST(webhooks, { params: { path: paramsOf(channel) }, body })),
    // the response contains the secret, so it must not stay in the cache
    gcTime: 0,
    meta: { invalidates: [webhookKeys.all(channel)], successMessage: words.created },
  })

export const updateWebhookMutation = (channel: ChannelAddress, id: string) =>
  mutationOptions({
    mutationFn: (body: WebhookPatch) =>
      call(api().PATCH(`${webhooks}/{id}`, { params: { path: { ...paramsOf(channel), id } }, body })),
    meta: { invalidates: [webhookKeys.all(channel)], successMessage: words.saved },
  })

/** Replaces the secret, by a new one or the sender's own, or the address. */
export const rotateWebhookMutation = (channel: ChannelAddress, id: string) =>
  mutationOptions({
    mutationFn: (body: Rotation) =>
      call(api().POST(`${webhooks}/{id}/rotate`, { params: { path: { ...paramsOf(channel), id } }, body })),
    gcTime: 0,
    meta: {
      invalidates: [webhookKeys.all(channel)],
      successMessage: (variables) => {
        const { what, secret } = variables as Rotation
        if (what === 'address') return words.readdressed
        return secret && words.brought
      },
    },
  })

export const removeWebhookMutation = (channel: ChannelAddress, id: string) =>
  mutationOptions({
    mutationFn: () => call(api().DELETE(`${webhooks}/{id}`, { params: { path: { ...paramsOf(channel), id } } })),
    meta: { invalidates: [webhookKeys.all(channel)], successMessage: words.removed },
  })

/** Makes a notification of what was sent, with the webhook as it is now. */
export const replayMutation = (channel: ChannelAddress, id: string, eventId: string) =>
  mutationOptions({
    mutationFn: () =>
      call(
        api().POST(`${webhooks}/{id}/events/{eventId}/replay`, {
          params: { path: { ...paramsOf(channel), id, eventId } },
        }),
      ),
    meta: {
      invalidates: [webhookKeys.events(channel, id), studioKeys.notifications(channel)],
      successMessage: (_variables, data) => words.events.replayed[(data as WebhookEvent).outcome],
    },
  })
