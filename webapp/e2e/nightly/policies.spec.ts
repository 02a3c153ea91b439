import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'

const text =
  '# Os seus <b>dados</b>\n\nGuardamos o seu e-mail. <script>alert(1)</script>\n\n## Direitos\n\n- Apagar\n- **[Regras](/terms)**\n'
const file = join(mkdtempSync(join(tmpdir(), 'sininho-policy-')), 'privacidade.md')
writeFileSync(file, text)

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const links = (page: Page) => page.getByRole('link', { name: /^(Privacidade|Termos)/ })
const support = (page: Page) => page.getByRole('link', { name: 'Se isto parece um erro, contacte o suporte.' })

test.use({
  settings: { PRIVACY_FILE: file, TERMS: 'https://example.com/termos', SUPPORT_URL: 'https://example.com/ajuda' },
})

test('the operator gives the text of a page, the address of another, and a support', async ({ page, signIn }) => {
  await page.goto('/')
  const footer = page.getByRole('navigation', { name: 'Rodapé' })
  await expect(footer.getByRole('link', { name: 'Termos de utilização' })).toHaveAttribute(
    'href',
    'https://example.com/termos',
  )
  await footer.getByRole('link', { name: 'Privacidade' }).click()
  await expect(title(page, 'Os seus <b>dados</b>')).toBeFocused()
  await expect(page.getByText('<script>alert(1)</script>')).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'Direitos' })).toBeVisible()
  await expect(page.getByRole('listitem').getByRole('link', { name: 'Regras' })).toHaveAttribute('href', '/terms')

  const response = await page.goto('/privacy')
  expect(response?.status()).toBe(200)
  await expect(page).toHaveTitle('Os seus <b>dados</b> · Sininho')
  expect((await page.goto('/terms'))?.status()).toBe(404)
  await expect(title(page, 'Você Está Perdido??')).toBeVisible()
  await expect(support(page)).toHaveAttribute('href', 'https://example.com/ajuda')

  await page.goto('/login')
  await expect(links(page)).toHaveCount(2)
  await signIn(page, { onboarded: false })
  await expect(title(page, 'O que lhe interessa?')).toBeVisible()
  await expect(links(page)).toHaveCount(2)
})
