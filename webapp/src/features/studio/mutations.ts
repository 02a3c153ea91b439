import {
  ApiError,
  type Channel,
  type ChannelInput,
  type ChannelPatch,
  type Notification,
  uploadPicture,
} from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { channelKeys } from '../../data/channels'
import { sessionKeys } from '../../data/session'
import { askServerTime } from '../../data/server-time'
import { createDraft, draftKeys } from '../../data/drafts'
import { studioKeys } from '../../data/studio'
import { studio } from '../../i18n/studio'
import { api, call, inWords } from '../../lib/api'
import { dayMs } from '../../lib/dates'
import { type ChannelAddress, paramsOf } from '../../lib/paths'
import { sendable } from '../../lib/picture-file'
import { type Message, contentOf, inputOf, messageOf, patchOf } from './message'

/** Milliseconds in which what was published can be taken back, and one more because HTTP dates have whole seconds. */
const hold = 11_000

const notifications = '/channels/{publisherSlug}/{channelSlug}/notifications'

/** Publishes at its time, or after the moment in which it can be taken back. */
export const publishMutation = (channel: ChannelAddress) =>
  mutationOptions({
    mutationFn: async (message: Message) => {
      const input = inputOf(message)
      const scheduledAt = input.scheduledAt ?? new Date((await askServerTime()) + hold).toISOString()
      return call(api().POST(notifications, { params: { path: paramsOf(channel) }, body: { ...input, scheduledAt } }))
    },
    meta: {
      invalidates: [studioKeys.notifications(channel)],
      successMessage: (message) => ((message as Message).scheduledAt ? studio.composer.scheduled : undefined),
    },
  })

export const correctMutation = (channel: ChannelAddress, of: Notification) =>
  mutationOptions({
    mutationFn: (message: Message) =>
      call(
        api().PATCH(`${notifications}/{id}`, {
          params: { path: { ...paramsOf(channel), id: of.id } },
          body: patchOf(message, of),
        }),
      ),
    meta: {
      invalidates: [studioKeys.notifications(channel)],
      successMessage: of.publishedAt ? studio.composer.corrected : studio.composer.scheduled,
    },
  })

/** Publishes a scheduled notification without waiting for its time. */
export const publishNowMutation = (channel: ChannelAddress) =>
  mutationOptions({
    mutationFn: (id: string) =>
      call(
        api().PATCH(`${notifications}/{id}`, {
          params: { path: { ...paramsOf(channel), id } },
          body: { scheduledAt: new Date(0).toISOString() },
        }),
      ),
    meta: { invalidates: [studioKeys.notifications(channel)], successMessage: studio.channel.publishedNow },
  })

/** Withdraws a notification; one that is scheduled is never published. */
export const withdrawMutation = (channel: ChannelAddress, successMessage: string) =>
  mutationOptions({
    mutationFn: (id: string) =>
      call(api().DELETE(`${notifications}/{id}`, { params: { path: { ...paramsOf(channel), id } } })),
    meta: { invalidates: [studioKeys.notifications(channel)], successMessage },
  })

/**
 * Takes back what has not left yet, and returns a draft of it. It is put off first, which the server refuses once it has
 * left: withdrawing alone would also take what everybody has got already.
 */
export const takeBackMutation = (channel: ChannelAddress) =>
  mutationOptions({
    mutationFn: async (notification: Notification) => {
      const params = { path: { ...paramsOf(channel), id: notification.id } }
      const scheduledAt = new Date(Date.now() + 7 * dayMs).toISOString()
      await call(api().PATCH(`${notifications}/{id}`, { params, body: { scheduledAt } })).catch(hasLeft)
      const draft = await createDraft(channel, contentOf({ ...messageOf(notification), scheduledAt: '' }))
      await call(api().DELETE(`${notifications}/{id}`, { params }))
      return draft
    },
    meta: {
      invalidates: [studioKeys.notifications(channel), draftKeys.drafts(channel)],
      successMessage: studio.channel.takenBack,
    },
  })

/** Says so where the server refuses because the notification is published. */
function hasLeft(error: unknown): never {
  const left = error instanceof ApiError && error.errors.some(({ pointer }) => pointer === '#/scheduledAt')
  throw left ? new Error(studio.channel.gone) : error
}

/** Uploads a picture of a publisher. */
export const uploadMutation = (publisherSlug: string) =>
  mutationOptions({
    mutationFn: async (file: File) => inWords(uploadPicture(api(), publisherSlug, await sendable(file))),
  })

/** A channel to create, with its publisher if that does not exist yet. */
export type Beginning = { publisher?: { slug: string; name: string }; channel: ChannelInput; picture?: Blob }

export const beginMutation = () =>
  mutationOptions({
    mutationFn: async ({ publisher, channel, picture }: Beginning): Promise<Channel> => {
      if (publisher) await call(api().POST('/publishers', { body: publisher }))
      const { publisherSlug } = channel
      const uploaded = picture && (await inWords(uploadPicture(api(), publisherSlug, picture)))
      return call(api().POST('/channels', { body: { ...channel, ...(uploaded && { icon: uploaded.url }) } }))
    },
    meta: {
      invalidates: [sessionKeys.auth, ['publishers'], channelKeys.lists],
      successMessage: studio.begin.created,
    },
  })

export const editMutation = (channel: ChannelAddress) =>
  mutationOptions({
    mutationFn: (body: ChannelPatch) =>
      call(api().PATCH('/channels/{publisherSlug}/{channelSlug}', { params: { path: paramsOf(channel) }, body })),
    meta: { invalidates: [channelKeys.all, ['publishers']], successMessage: studio.edit.saved },
  })

export const removeMutation = (channel: ChannelAddress) =>
  mutationOptions({
    mutationFn: () =>
      call(api().DELETE('/channels/{publisherSlug}/{channelSlug}', { params: { path: paramsOf(channel) } })),
    meta: { invalidates: [channelKeys.lists, ['publishers']], successMessage: studio.edit.removed },
  })
