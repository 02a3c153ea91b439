import type { EventEndpoint } from '@sininho/sdk'
import { responses } from '../../i18n/responses'

/** How an endpoint is doing. What keeps it from getting anything comes first. */
export function stateOf({ enabled, confirmedAt, failingSince }: EventEndpoint) {
  if (!enabled) return 'off'
  if (!confirmedAt) return 'unconfirmed'
  return failingSince ? 'failing' : 'on'
}

/** How a receiver responded, in words. */
export function responseOf({ status, error }: { status?: number; error?: string }): string {
  if (error) return responses.errors[error] ?? error
  return status ? responses.status(status) : responses.unknown
}
