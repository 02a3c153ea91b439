import type { EventEndpointInput, EventEndpointPatch } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { endpointKeys } from '../../data/event-endpoints'
import { endpoints as words } from '../../i18n/endpoints'
import { api, call } from '../../lib/api'

const endpoints = '/publishers/{publisherSlug}/event-endpoints'

export const createEndpointMutation = (publisherSlug: string) =>
  mutationOptions({
    mutationFn: (body: EventEndpointInput) =>
      call(api().POST(endpoints, { params: { path: { publisherSlug } }, body })),
    // the response contains the secret, so it must not stay in the cache
    gcTime: 0,
    meta: { invalidates: [endpointKeys.all(publisherSlug)] },
  })

/** What is done with one endpoint. */
export function endpointMutations(publisherSlug: string, id: string) {
  const params = { path: { publisherSlug, id } }
  const invalidates = [endpointKeys.all(publisherSlug)]
  return {
    update: mutationOptions({
      mutationFn: (body: EventEndpointPatch) => call(api().PATCH(`${endpoints}/{id}`, { params, body })),
      meta: { invalidates, successMessage: words.saved },
    }),
    rotate: mutationOptions({
      mutationFn: () => call(api().POST(`${endpoints}/{id}/rotate`, { params })),
      gcTime: 0,
      meta: { invalidates },
    }),
    /** Sends a challenge, to which the receiver responds if it knows how to. */
    challenge: mutationOptions({
      mutationFn: () => call(api().POST(`${endpoints}/{id}/challenge`, { params })),
      meta: {
        invalidates,
        successMessage: (_variables, data) =>
          (data as { confirmed: boolean }).confirmed ? words.confirmed : undefined,
      },
    }),
    /** Confirms with the challenge that a person has found in what the receiver got. */
    confirm: mutationOptions({
      mutationFn: (challenge: string) => call(api().POST(`${endpoints}/{id}/confirm`, { params, body: { challenge } })),
      meta: { invalidates, successMessage: words.confirmed },
    }),
    test: mutationOptions({
      mutationFn: () => call(api().POST(`${endpoints}/{id}/test`, { params })),
      meta: { invalidates, successMessage: words.tested },
    }),
    remove: mutationOptions({
      mutationFn: () => call(api().DELETE(`${endpoints}/{id}`, { params })),
      meta: { invalidates, successMessage: words.removed },
    }),
    resend: mutationOptions({
      mutationFn: (deliveryId: string) =>
        call(
          api().POST(`${endpoints}/{id}/deliveries/{deliveryId}/resend`, {
            params: { path: { publisherSlug, id, deliveryId } },
          }),
        ),
      meta: { invalidates, successMessage: words.log.resent },
    }),
  }
}
