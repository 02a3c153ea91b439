import { ApiError, NetworkError, type WebhookReceipt } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { env } from '../../env'
import { pt } from '../../i18n/pt'
import { track } from '../../lib/analytics'
import type { DemoPayload } from './message'

/** As any sender would: a plain POST to the webhook's address, with no credential. */
async function send(payload: DemoPayload): Promise<WebhookReceipt> {
  const response = await fetch(env().DEMO_WEBHOOK_URL, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'Content-Type': 'application/json', 'Accept-Language': 'pt' },
    body: JSON.stringify(payload),
  }).catch((error: unknown) => {
    throw new NetworkError(error, pt.errors.network)
  })
  if (!response.ok) throw await ApiError.from(response)
  return (await response.json()) as WebhookReceipt
}

/** The server's own words tell what is wrong with the message, or that there were too many. */
export const sendDemoMutation = () =>
  mutationOptions({
    mutationFn: send,
    onSuccess: () => track('demo_sent', {}),
    meta: { successMessage: pt.demo.sent },
  })
