import type { Page } from '@playwright/test'
import { type Sininho, links } from '../../support/sininho.ts'
import { show } from '../screen.ts'
import { byInvitation } from './config.ts'

/** Scrolls to the form of the waiting list, which is there where sign-up is by invitation. */
export async function form(page: Page) {
  await byInvitation(page, 'SIGN_UP')
  await page.reload()
  await page.getByRole('region', { name: 'Canais populares' }).getByRole('listitem').first().waitFor()
  await show(page, 'Entre na lista de espera')
}

/** Joins as a new person. Returns the links in their email; the last one is for leaving. */
export async function joined(page: Page, sininho: Sininho) {
  const { email, name } = sininho.person()
  await page.request.post('/api/v1/waitlist/entries', { data: { email, name } })
  return links(await sininho.mail(email))
}
