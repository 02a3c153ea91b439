import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, call } from '../lib/api'
import { pagedQuery } from './paged'

export type HealthSearch = { hours: number; node?: string }

/** How the installation is doing; the servers store their figures once a minute. */
export const healthQuery = (search: HealthSearch) =>
  queryOptions({
    queryKey: ['health', search] as const,
    queryFn: ({ signal }) => call(api().GET('/admin/health', { params: { query: search }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })

/** The event endpoints that accepted none of the latest events. */
export const failingEndpointsQuery = () =>
  pagedQuery(['failing-endpoints'], (query, signal) =>
    call(api().GET('/admin/event-endpoints', { params: { query }, signal })),
  )

/** The size of the database, and the publishers that store most. */
export const storageQuery = () =>
  queryOptions({
    queryKey: ['storage'] as const,
    queryFn: ({ signal }) => call(api().GET('/admin/storage', { signal })),
    refetchInterval: 60_000,
  })

/** The settings in force on the server that responds. */
export const serverSettingsQuery = () =>
  queryOptions({
    queryKey: ['server-settings'] as const,
    queryFn: async ({ signal }) => (await call(api().GET('/admin/settings', { signal }))).data,
  })
