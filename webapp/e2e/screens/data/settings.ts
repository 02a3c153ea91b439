import type { Page } from '@playwright/test'
import { signInElsewhere } from '../../support/test.ts'
import { heading } from '../screen.ts'

/** The user agent of a phone, which has to be told how to install the app. */
export const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

/**
 * Creates two devices, two access tokens, a session of a phone and quiet hours. The devices receive no pushes: one that
 * is held during the quiet hours would keep a dispatch of another test open until the morning.
 */
export async function fillSettings(page: Page) {
  const me = '/api/v1/subscribers'
  const followed = (await (await page.request.get(`${me}/channels`)).json()) as { data: { channel: { id: string } }[] }
  for (const { channel } of followed.data) {
    await page.request.patch(`${me}/channels/${channel.id}`, { data: { bell: 'none' } })
  }
  for (const name of ['Chrome no Android', 'Firefox no Windows']) {
    const address = crypto.randomUUID()
    const data = { installationId: address, kind: 'token', address, platform: 'web', name }
    await page.request.post(`${me}/devices`, { data })
  }
  for (const name of ['sininho em portátil', 'cópia de segurança']) {
    await page.request.post(`${me}/access-tokens`, { data: { name } })
  }
  await page.request.patch(`${me}/me`, { data: { quietHours: { start: '22:00', end: '07:00' } } })
  await signInElsewhere(page, phone)
  await page.reload()
  await heading(page)
}
