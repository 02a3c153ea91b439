import type { components } from '@sininho/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api, call, everything } from '../lib/api'
import { pagedQuery } from './paged'

export type EventTypeInput = components['schemas']['EventTypeInput']

export const endpointKeys = {
  all: (publisher: string) => ['publishers', 'event-endpoints', publisher] as const,
  deliveries: (publisher: string, id: string) => [...endpointKeys.all(publisher), id, 'deliveries'] as const,
}

const endpoints = '/publishers/{publisherSlug}/event-endpoints'

/** Milliseconds between looks at what was sent, while it is shown. */
const looks = 3000

/** The addresses to which a publisher's events are sent, without their secrets, the oldest first. */
export const eventEndpointsQuery = (publisherSlug: string) =>
  queryOptions({
    queryKey: endpointKeys.all(publisherSlug),
    queryFn: ({ signal }) =>
      everything((query) => call(api().GET(endpoints, { params: { path: { publisherSlug }, query }, signal }))),
  })

/** What was sent to an address, the latest first, looked at again and again while it is shown. */
export const eventDeliveriesQuery = (publisherSlug: string, id: string) => ({
  ...pagedQuery(endpointKeys.deliveries(publisherSlug, id), (query, signal) =>
    call(api().GET(`${endpoints}/{id}/deliveries`, { params: { path: { publisherSlug, id }, query }, signal })),
  ),
  refetchInterval: looks,
})

/** One of these with each attempt, and what was sent. */
export const eventDeliveryQuery = (publisherSlug: string, id: string, deliveryId: string) =>
  queryOptions({
    queryKey: [...endpointKeys.deliveries(publisherSlug, id), deliveryId],
    queryFn: ({ signal }) =>
      call(
        api().GET(`${endpoints}/{id}/deliveries/{deliveryId}`, {
          params: { path: { publisherSlug, id, deliveryId } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? looks : false),
  })
