import { createMainClient } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { env } from '../../env'
import { demo } from '../../i18n/demo'
import { language } from '../../i18n/language'
import { track } from '../../lib/analytics'
import { call } from '../../lib/api'
import type { DemoPayload } from './message'

/** Posts to the webhook like any other sender, without credentials. Returns the id of the published notification. */
async function send(payload: DemoPayload): Promise<string> {
  const [baseUrl = '', id = ''] = env().DEMO_WEBHOOK_URL.split('/webhooks/channels/')
  const sender = createMainClient({
    baseUrl,
    headers: { 'Accept-Language': language },
    fetch: (request) => fetch(request, { credentials: 'omit' }),
  })
  const received = await call(sender.POST('/webhooks/channels/{id}', { params: { path: { id } }, body: payload }))
  // only a webhook for another sender responds in another form
  const receipt = typeof received === 'object' && 'outcome' in received ? received : undefined
  if (!receipt?.notificationId) throw new Error(receipt?.detail) // the template skipped the message; `detail` says why
  return receipt.notificationId
}

/** Failures show the server's text, which names the fault of the message or the exceeded limit. */
export const sendDemoMutation = () =>
  mutationOptions({
    mutationFn: send,
    onSuccess: () => track('demo_sent', {}),
    meta: { successMessage: demo.sent },
  })
