import type { Locator, Page } from '@playwright/test'
import { expect, follow, gotoLive, openFollowed, test } from '../support/test.ts'

// the project `translated` runs other specs in the same way, see playwright.config.ts
for (const translated of ['replaces', 'moves'] as const) {
  test.describe(`where a translator ${translated} texts`, () => {
    test.use({ translated })

    test('channels are searched for', async ({ page }) => {
      await page.goto('/channels')
      const search = page.getByRole('searchbox', { name: 'Procurar canais' })
      const rows = page.getByRole('main').getByRole('heading', { level: 2 })
      await expect(rows.first()).toBeVisible()
      const [all] = await rows.allInnerTexts()
      for (const words of ['metro', 'tempo', 'zzz', 'cul']) {
        await search.pressSequentially(words, { delay: 40 })
        await expect(page).toHaveURL(new RegExp(`q=${words}`))
        await expect(
          page
            .getByRole('main')
            .getByText(/^(\d+ cana(l|is)|Nenhum canal encontrado)$/)
            .first(),
        ).toBeVisible()
        await search.fill('')
        await expect(page).toHaveURL('/channels')
        await expect(rows.first()).toHaveText(all!)
      }
      await fine(page)
    })

    test('counts change, and what arrives is shown', async ({ page, sininho, signIn }) => {
      await signIn(page)
      await follow(page)
      await page.request.post('/api/v1/subscribers/notifications/read-all', { data: {} })
      await gotoLive(page, '/feed')
      const unread = page.getByRole('navigation', { name: 'Principal' }).getByText(/por ler/)
      await expect(page.getByRole('article').first()).toBeVisible()
      const before = await page.getByRole('article').filter({ hasText: 'Por ler:' }).count()
      const title = `Chegada ${Date.now()}-`
      for (const more of [1, 2, 3]) {
        await sininho.publish(title + more, { body: 'Um texto.' })
        await expect(page.getByRole('article').filter({ hasText: title + more })).toBeVisible()
        await expect(unread).toHaveText(`${before + more} por ler`)
      }
      const card = page.getByRole('article').filter({ hasText: `${title}3` })
      await card.getByRole('button', { name: 'Opções' }).click()
      await page.getByRole('menuitem', { name: 'Marcar como lida' }).click()
      await expect(unread).toHaveText(`${before + 2} por ler`)
      await expect(card.getByText('Por ler:')).toHaveCount(0)
      await card.getByRole('button', { name: 'Opções' }).click()
      await page.getByRole('menuitem', { name: 'Marcar como não lida' }).click()
      await expect(unread).toHaveText(`${before + 3} por ler`)
      await expect(card.getByText('Por ler:')).toHaveCount(1)
      await card.getByRole('button', { name: 'Opções' }).click()
      await page.getByRole('menuitem', { name: 'Arquivar' }).click()
      await page.getByRole('button', { name: 'Anular' }).click()
      await expect(card).toBeVisible()
      await page.getByRole('button', { name: 'Marcar tudo como lido' }).click()
      await expect(unread).toHaveCount(0)
      await fine(page)
    })

    test('following a channel changes its number of followers', async ({ page, signIn }) => {
      await signIn(page)
      await openFollowed(page)
      const followers = page
        .getByRole('main')
        .getByText(/seguidor/)
        .first()
      const before = await textOf(followers)
      await page.getByRole('button', { name: /^A seguir/ }).click()
      await expect(followers).not.toHaveText(before)
      await page.getByRole('button', { name: /^Seguir/ }).click()
      await expect(followers).toHaveText(before)
      await fine(page)
    })
  })
}

const textOf = async (element: Locator) => (await element.innerText()).trim()

/** Expects texts to be translated, and nothing to have failed. */
async function fine(page: Page) {
  expect(await page.locator('font').count(), 'translated texts').toBeGreaterThan(0)
  await expect(page.getByText('Something went wrong')).toHaveCount(0)
}
