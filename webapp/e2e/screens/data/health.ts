import type { Page } from '@playwright/test'

/** Figures of a day with an outage of the push service at noon, instead of those of a server that has just started. */
export async function mockHealth(page: Page) {
  const until = Math.floor(Date.now() / 300_000) * 300_000
  const parts = Array.from({ length: 288 }, (_, index) => {
    const day = Math.sin((index / 288) * Math.PI) ** 2
    const noise = ((index * 7919) % 13) / 13
    const outage = index > 150 && index < 162
    const published = Math.round(40 * day + 6 * noise)
    return {
      at: new Date(until - (287 - index) * 300_000).toISOString(),
      jobs: outage ? (index - 150) * 22 : Math.round(3 * noise),
      oldestSeconds: outage ? (index - 150) * 290 : noise,
      events: outage ? 40 : 0,
      published,
      accepted: outage ? 0 : published * 240,
      failed: noise > 0.9 ? { unregistered: 12 } : {},
      expired: index === 162 ? { withdrawn: 240 } : {},
      retried: outage ? { unavailable: 4200 } : noise > 0.8 ? { quota: 60 } : {},
      streams: Math.round(900 * day + 80 * noise + 120),
      requests: Math.round(5200 * day + 600 * noise + 300),
      errors: outage ? 14 : 0,
    }
  })
  const nodes = ['sininho-1:8080', 'sininho-2:8080'].map((name, index) => ({
    name,
    seenAt: new Date(Date.now() - 20_000 - index * 720_000).toISOString(),
    streams: 412 - index * 30,
    requests: 412_930 - index * 20_412,
    errors: 71 + index,
  }))
  const health = {
    from: new Date(until - 86_400_000).toISOString(),
    until: new Date().toISOString(),
    partSeconds: 300,
    totals: {
      people: 12_408,
      withoutAccount: 1_930,
      channels: 214,
      privateChannels: 12,
      devices: 18_022,
      lastPushAt: new Date(Date.now() - 60_000).toISOString(),
      failedLastHour: {},
      failedLastDay: { unregistered: 228 },
      paused: [],
    },
    queue: { jobs: 2, oldestSeconds: 0.4, events: 0 },
    nodes,
    parts,
  }
  await page.route('**/api/v1/admin/health**', (route) => route.fulfill({ json: health }))
}
