// Checks addresses and publishes to a channel those that went down or came back.
import { createMainClient, unwrap, type MainClient, type Notification } from '@sininho/sdk'

const [channel, ...sites] = process.argv.slice(2)
const [publisherSlug, channelSlug] = channel?.split('/') ?? []
const { SININHO_URL, SININHO_API_KEY } = process.env
if (!publisherSlug || !channelSlug || sites.length === 0 || !SININHO_URL || !SININHO_API_KEY) {
  console.error('usage: SININHO_URL=… SININHO_API_KEY=… node dist/main.js PUBLISHER/CHANNEL SITE…')
  process.exit(2)
}
const path = { publisherSlug, channelSlug }
const client: MainClient = createMainClient({ baseUrl: `${SININHO_URL}/api/v1`, apiKey: SININHO_API_KEY })

const published = await lastPublished()
await Promise.all(sites.map(watch))

async function watch(site: string): Promise<void> {
  const fault = await look(site)
  const before = published.get(site)
  if (fault === undefined ? before?.data?.state !== 'down' : before?.data?.state === 'down') return
  const { host } = new URL(site)
  const state = fault === undefined ? 'up' : 'down'
  await unwrap(
    client.POST('/channels/{publisherSlug}/{channelSlug}/notifications', {
      params: { path },
      body: {
        title: fault === undefined ? `${host} is back` : `${host} is down`,
        body: fault ?? '',
        importance: 'important',
        data: { site, state },
        // each change follows the one before it, so two that run at once publish it once
        externalId: `${state} after ${before?.id ?? 'nothing'}: ${site}`.slice(0, 255),
      },
    }),
  )
  console.log(`${host} is ${state}`)
}

/** What is wrong with a site, or undefined. */
async function look(site: string): Promise<string | undefined> {
  try {
    const response = await fetch(site, { signal: AbortSignal.timeout(10_000) })
    return response.ok ? undefined : `It responds with ${response.status} ${response.statusText}.`
  } catch (error) {
    return `It does not respond: ${error instanceof Error ? error.message : error}.`
  }
}

/** The latest notification about each site. */
async function lastPublished(): Promise<Map<string, Notification>> {
  const { data } = await unwrap(
    client.GET('/channels/{publisherSlug}/{channelSlug}/notifications', { params: { path, query: { limit: 100 } } }),
  )
  return new Map(data.reverse().flatMap((n) => (n.data?.site ? [[n.data.site, n] as const] : [])))
}
