import type { Report } from '@sininho/sdk'
import { api, call } from '../lib/api'
import { pagedQuery } from './paged'

export const moderationKeys = {
  /** Prefix of the keys of everything that moderation shows. */
  all: ['moderation'] as const,
  reports: ['moderation', 'reports'] as const,
  requests: ['moderation', 'requests'] as const,
}

/** What people reported to the operators, the oldest first. */
export const reportsQuery = (status: Report['status'] & ('open' | 'resolved' | 'dismissed')) =>
  pagedQuery([...moderationKeys.reports, status], (query, signal) =>
    call(api().GET('/admin/reports', { params: { query: { ...query, status } }, signal })),
  )

/** Who waits for a publisher, the oldest first. */
export const publisherRequestsQuery = () =>
  pagedQuery(moderationKeys.requests, (query, signal) =>
    call(api().GET('/admin/publisher-requests', { params: { query }, signal })),
  )

/** The channels that match, of any kind; the suspended ones without `q`. */
export const allChannelsQuery = (q?: string) =>
  pagedQuery([...moderationKeys.all, 'channels', q], (query, signal) =>
    call(api().GET('/admin/channels', { params: { query: { ...query, q } }, signal })),
  )

/** The publishers that match; the suspended ones without `q`. */
export const allPublishersQuery = (q?: string) =>
  pagedQuery([...moderationKeys.all, 'publishers', q], (query, signal) =>
    call(api().GET('/admin/publishers', { params: { query: { ...query, q } }, signal })),
  )

/** The accounts with an email address; the suspended ones without it. */
export const accountsQuery = (email?: string) =>
  pagedQuery([...moderationKeys.all, 'accounts', email], (query, signal) =>
    call(api().GET('/admin/subscribers', { params: { query: { ...query, email } }, signal })),
  )

/** Who changed what, of all publishers or of one, newest first. */
export const auditLogQuery = (publisher?: string) =>
  pagedQuery(['audit-log', publisher], (query, signal) =>
    call(api().GET('/admin/audit-log', { params: { query: { ...query, publisher } }, signal })),
  )
