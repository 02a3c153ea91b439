import type { Page } from '@playwright/test'
import { follow } from '../../support/test.ts'

/** Follows channels, and leaves some of what they have published unread, most of it read, and something archived. */
export async function fillFeed(page: Page) {
  for (const channel of ['demo/novidades', 'vila-nova/tempo', 'metro/linhas']) await follow(page, channel)
  const all = '/api/v1/subscribers/notifications'
  const { data } = (await (await page.request.get(all)).json()) as { data: { id: string }[] }
  const patch = (at: number, change: object) => page.request.patch(`${all}/${data.at(at)!.id}`, { data: change })
  for (const at of [0, 2, 3]) await patch(at, { read: false })
  await patch(-1, { archived: true })
}
