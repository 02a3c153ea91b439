import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'

test.use({ settings: { PRIVACY: '', TERMS: '', SUPPORT_URL: '' } })

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const links = (page: Page) => page.getByRole('link', { name: /^(Privacidade|Termos)/ })

test('an operator who says nothing has no pages for it, and no links to them or to a support', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Rodapé' }).waitFor()
  await expect(links(page)).toHaveCount(0)
  await page.goto('/login')
  await title(page, 'Entrar no Sininho').waitFor()
  await expect(links(page)).toHaveCount(0)
  for (const path of ['/privacy', '/terms', '/nada']) {
    expect((await page.goto(path))?.status(), path).toBe(404)
    await expect(title(page, 'Você Está Perdido??')).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText('suporte')
  }
})
