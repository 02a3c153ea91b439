import type { PublisherRequest, Report } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { categoryKeys } from '../../data/categories'
import { channelKeys } from '../../data/channels'
import { moderationKeys } from '../../data/moderation'
import { type EntrySearch, entryKeys } from '../../data/waitlist-entries'
import { admin } from '../../i18n/admin'
import { api, call, waitlistApi } from '../../lib/api'
import { saveFile } from '../../lib/file'

/** What can be suspended. */
export type Suspendable =
  | { kind: 'channel'; publisherSlug: string; channelSlug: string }
  | { kind: 'publisher'; publisherSlug: string }
  | { kind: 'account'; id: string }

const changed = [moderationKeys.all, channelKeys.all, ['audit-log']]

export const suspendMutation = (what: Suspendable) =>
  mutationOptions({
    mutationFn: async (reason: string) => {
      const body = { reason }
      switch (what.kind) {
        case 'channel':
          return call(
            api().PUT('/admin/channels/{publisherSlug}/{channelSlug}/suspension', { params: { path: what }, body }),
          )
        case 'publisher':
          return call(api().PUT('/admin/publishers/{publisherSlug}/suspension', { params: { path: what }, body }))
        case 'account':
          return call(api().PUT('/admin/subscribers/{id}/suspension', { params: { path: what }, body }))
      }
    },
    meta: { invalidates: changed, successMessage: admin.moderation.done },
  })

export const liftMutation = (what: Suspendable) =>
  mutationOptions({
    mutationFn: async () => {
      switch (what.kind) {
        case 'channel':
          return call(
            api().DELETE('/admin/channels/{publisherSlug}/{channelSlug}/suspension', { params: { path: what } }),
          )
        case 'publisher':
          return call(api().DELETE('/admin/publishers/{publisherSlug}/suspension', { params: { path: what } }))
        case 'account':
          return call(api().DELETE('/admin/subscribers/{id}/suspension', { params: { path: what } }))
      }
    },
    meta: { invalidates: changed, successMessage: admin.moderation.lifted },
  })

export const withdrawMutation = (id: string) =>
  mutationOptions({
    mutationFn: (reason: string) =>
      call(api().PUT('/admin/notifications/{id}/withdrawal', { params: { path: { id } }, body: { reason } })),
    meta: { invalidates: changed, successMessage: admin.moderation.withdrawn },
  })

export const closeReportMutation = ({ id }: Report) =>
  mutationOptions({
    mutationFn: (status: 'resolved' | 'dismissed') =>
      call(api().PATCH('/admin/reports/{id}', { params: { path: { id } }, body: { status } })),
    meta: { invalidates: [moderationKeys.reports, ['audit-log']] },
  })

export const answerRequestMutation = ({ id, name }: PublisherRequest) =>
  mutationOptions({
    mutationFn: (body: { status: 'approved' } | { status: 'refused'; answer?: string }) =>
      call(api().PATCH('/admin/publisher-requests/{id}', { params: { path: { id } }, body })),
    meta: { invalidates: [moderationKeys.requests, ['audit-log']], successMessage: admin.requests.answered(name) },
  })

export type CategoryValues = { slug: string; name: string; position: number }

export const createCategoryMutation = () =>
  mutationOptions({
    mutationFn: (body: CategoryValues) => call(api().POST('/categories', { body })),
    meta: { invalidates: [categoryKeys.all], successMessage: admin.categories.created },
  })

export const updateCategoryMutation = (id: string) =>
  mutationOptions({
    mutationFn: (body: CategoryValues) => call(api().PATCH('/categories/{id}', { params: { path: { id } }, body })),
    meta: { invalidates: [categoryKeys.all, channelKeys.all], successMessage: admin.categories.saved },
  })

export const deleteCategoryMutation = (id: string) =>
  mutationOptions({
    mutationFn: () => call(api().DELETE('/categories/{id}', { params: { path: { id } } })),
    meta: { invalidates: [categoryKeys.all], successMessage: admin.categories.removed },
  })

/** Invites the next people of the waiting list, or those with the given addresses. */
export const inviteMutation = () =>
  mutationOptions({
    mutationFn: (body: { next: number } | { emails: string[] }) =>
      call(waitlistApi().POST('/waitlist/invitations', { body })),
    meta: { invalidates: [entryKeys.all], successMessage: admin.waitlist.invited },
  })

/** Downloads the entries as CSV. */
export const exportEntriesMutation = () =>
  mutationOptions({
    mutationFn: async (search: EntrySearch) => {
      const csv = await call(
        waitlistApi().GET('/waitlist/entries/export', { params: { query: search }, parseAs: 'text' }),
      )
      saveFile(admin.waitlist.exportName(new Date().toISOString().slice(0, 10)), csv, 'text/csv')
    },
  })
