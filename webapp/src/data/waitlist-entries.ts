import type { WaitlistComponents } from '@sininho/sdk'
import { env } from '../env'
import { call, waitlistApi } from '../lib/api'
import { pagedQuery } from './paged'

export type EntryStatus = WaitlistComponents['schemas']['WaitlistStatusInput']
export type EntrySearch = { q?: string; status?: EntryStatus }

export const entryKeys = { all: ['waitlist-entries'] as const }

/** Whether the waiting list has a server of its own, to which the session does not extend. */
export const isElsewhere = () => new URL(env().WAITLIST_API_BASE_URL).origin !== new URL(env().API_BASE_URL).origin

/** The entries of the waiting list, in the order in which they will be invited. */
export const entriesQuery = (search: EntrySearch) =>
  pagedQuery([...entryKeys.all, search], (query, signal) =>
    call(waitlistApi().GET('/waitlist/entries', { params: { query: { ...query, ...search } }, signal })),
  )
