import { createMainClient } from '@sininho/sdk'
import { mutationOptions } from '@tanstack/react-query'
import { env } from '../../env'
import { pt } from '../../i18n/pt'
import { track } from '../../lib/analytics'
import { call } from '../../lib/api'
import type { DemoPayload } from './message'

/** As any sender would: to the webhook's address, with no credential. Answers the id of what was published. */
async function send(payload: DemoPayload): Promise<string> {
  const [baseUrl = '', id = ''] = env().DEMO_WEBHOOK_URL.split('/webhooks/channels/')
  const sender = createMainClient({
    baseUrl,
    headers: { 'Accept-Language': 'pt' },
    fetch: (request) => fetch(request, { credentials: 'omit' }),
  })
  const { notificationId, detail } = await call(
    sender.POST('/webhooks/channels/{id}', { params: { path: { id } }, body: payload }),
  )
  if (!notificationId) throw new Error(detail) // the webhook's template skips it, and says why
  return notificationId
}

/** The server's own words tell what is wrong with the message, or that there were too many. */
export const sendDemoMutation = () =>
  mutationOptions({
    mutationFn: send,
    onSuccess: () => track('demo_sent', {}),
    meta: { successMessage: pt.demo.sent },
  })
