// Publishes, corrects and withdraws with a client that was generated from the contract alone.
import { createClient, createConfig } from './gen/client/index.js'
import { correctNotification, listNotifications, publishNotification, withdrawNotification } from './gen/index.js'

const [channel = '', title = ''] = process.argv.slice(2)
const [publisherSlug = '', channelSlug = ''] = channel.split('/')
const client = createClient(
  createConfig({
    baseUrl: `${process.env.SININHO_URL}/api/v1`,
    auth: ({ scheme }) => (scheme === 'bearer' ? process.env.SININHO_API_KEY : undefined),
    throwOnError: true,
  }),
)
const path = { publisherSlug, channelSlug }
const options = { client, throwOnError: true } as const

const { data: published } = await publishNotification({
  ...options,
  path,
  headers: { 'Idempotency-Key': crypto.randomUUID() },
  body: { title, importance: 'important', data: { by: 'a generated client' } },
})
const { data: corrected } = await correctNotification({
  ...options,
  path: { ...path, id: published.id },
  body: { title: `${title}, corrected` },
})
console.log(corrected.title)

const { data: second } = await publishNotification({ ...options, path, body: { title: 'To be withdrawn' } })
await withdrawNotification({ ...options, path: { ...path, id: second.id } })

const { data: page } = await listNotifications({ ...options, path, query: { limit: 1 } })
console.log(page.data[0]?.title)
