import type { Page } from '@playwright/test'
import { expect, follow, gotoLive, test } from './support/test.ts'

const cards = (page: Page) => page.getByRole('article')
const title = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^(Por ler: )?${name}$`) })
const keys = (page: Page) => page.getByRole('button', { name: 'Atalhos do teclado' })

async function ready(page: Page) {
  await expect(keys(page)).toBeVisible()
  await expect(cards(page).first()).toBeVisible()
}

test('triage by keyboard', async ({ page, sininho, signIn }) => {
  await page.setViewportSize({ width: 1100, height: 800 }) // no room for a second pane
  await signIn(page)
  await follow(page)
  for (const name of ['Um', 'Dois', 'Três', 'Quatro']) {
    await sininho.publish(`Tecla ${name}`, { more: ['--link', `https://example.com/${name}`] })
  }
  await page.context().route('https://example.com/**', (route) => route.fulfill({ body: 'Ali' }))
  await gotoLive(page, '/feed')
  await ready(page)
  const press = (key: string) => page.keyboard.press(key)

  await test.step('j and k move the focus, and open nothing', async () => {
    await press('j')
    await expect(title(page, 'Tecla Quatro')).toBeFocused()
    await press('j')
    await press('j')
    await expect(title(page, 'Tecla Dois')).toBeFocused()
    await press('k')
    await expect(title(page, 'Tecla Três')).toBeFocused()
    await expect(title(page, 'Tecla Três')).toHaveAccessibleName(/^Por ler/)
  })

  await test.step('u marks as read, and as unread', async () => {
    await press('u')
    await expect(title(page, 'Tecla Três')).toHaveAccessibleName('Tecla Três')
    await press('u')
    await expect(title(page, 'Tecla Três')).toHaveAccessibleName('Por ler: Tecla Três')
  })

  await test.step('Enter opens, o opens the link elsewhere and marks as read', async () => {
    await press('Enter')
    await expect(title(page, 'Tecla Três')).toHaveAccessibleName('Tecla Três')
    await press('j')
    const opened = page.context().waitForEvent('page')
    const recorded = page.waitForResponse((response) => response.url().endsWith('/events'))
    await press('o')
    await (await opened).close()
    expect((await opened).url()).toBe('https://example.com/Dois')
    expect((await recorded).request().postDataJSON()).toEqual({ type: 'opened' })
    await expect(title(page, 'Tecla Dois')).toHaveAccessibleName('Tecla Dois')
  })

  await test.step('e archives and goes to the next; the toast takes it back', async () => {
    await press('k')
    await press('e')
    await expect(title(page, 'Tecla Três')).toHaveCount(0)
    await expect(title(page, 'Tecla Dois')).toBeFocused()
    await page.getByRole('button', { name: 'Anular' }).click()
    await expect(title(page, 'Tecla Três')).toBeVisible()
  })

  await test.step('among the archived, e takes it back', async () => {
    await title(page, 'Tecla Um').focus()
    await press('e')
    await expect(title(page, 'Tecla Um')).toHaveCount(0)
    await page.getByRole('link', { name: 'Arquivadas' }).click()
    await expect(title(page, 'Tecla Um')).toBeVisible()
    // the list is fetched again because of what was just archived, and may lose the focus meanwhile
    await expect(async () => {
      await press('j')
      await expect(title(page, 'Tecla Um')).toBeFocused({ timeout: 1000 })
    }).toPass()
    await press('e')
    await expect(page.getByText('Nada arquivado')).toBeVisible()
    await page.getByRole('link', { name: 'Tudo', exact: true }).click()
    await expect(title(page, 'Tecla Um')).toBeVisible()
  })

  await test.step('/ searches, and while typing no key acts', async () => {
    await press('/')
    const search = page.getByRole('searchbox')
    await expect(search).toBeFocused()
    await page.keyboard.type('jkoeu/?')
    await expect(search).toHaveValue('jkoeu/?')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByText('Nada encontrado')).toBeVisible()
    await search.fill('')
    await expect(cards(page).first()).toBeVisible()
  })

  await test.step('? shows the keys, Escape closes them; with them open no key acts', async () => {
    await title(page, 'Tecla Quatro').focus()
    await press('?')
    const sheet = page.getByRole('dialog', { name: 'Atalhos do teclado' })
    await expect(sheet.getByRole('definition')).toHaveCount(10)
    await press('e')
    await press('Escape')
    await expect(sheet).toHaveCount(0)
    await expect(title(page, 'Tecla Quatro')).toBeFocused()
    await press('Control+j')
    await press('Alt+j')
    await expect(title(page, 'Tecla Quatro')).toBeFocused()
  })

  await test.step('in a menu no key acts', async () => {
    await cards(page).first().getByRole('button', { name: 'Opções' }).press('Enter')
    await press('e')
    await expect(page.getByRole('menu')).toBeVisible()
    await press('Escape')
    await expect(title(page, 'Tecla Quatro')).toBeVisible()
  })

  await test.step('they are turned off, and stay so', async () => {
    await keys(page).click()
    await page.getByRole('switch', { name: 'Usar os atalhos' }).uncheck({ force: true })
    await page.getByRole('button', { name: 'Fechar', exact: true }).click()
    await page.reload()
    await ready(page)
    await title(page, 'Tecla Quatro').focus()
    await press('j')
    await press('?')
    await expect(title(page, 'Tecla Quatro')).toBeFocused()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})

test('j shows the notification beside the list, and Escape closes it', async ({ page, sininho, signIn }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page)
  await follow(page)
  for (const name of ['Ao lado um', 'Ao lado dois', 'Ao lado três']) await sininho.publish(name, { body: `${name}.` })
  await gotoLive(page, '/feed')
  await ready(page)
  const pane = page.getByRole('region', { name: 'A notificação que abriu' })
  const shows = (name: string) => expect(pane.getByRole('heading', { level: 2 })).toHaveText(name)
  await page.keyboard.press('j')
  await shows('Ao lado três')
  await page.keyboard.press('j')
  await shows('Ao lado dois')
  await page.keyboard.press('e')
  await shows('Ao lado um')
  await expect(title(page, 'Ao lado um')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(pane).toHaveCount(0)
  await expect(title(page, 'Ao lado um')).toBeFocused()
})

test('j goes on where more is loaded, up to the last', async ({ page, sininho, signIn }) => {
  await page.setViewportSize({ width: 1100, height: 800 })
  await signIn(page)
  const titles = Array.from({ length: 25 }, (_, index) => ({ title: `Fila ${index}` }))
  const channel = await sininho.createChannel('fila')
  await follow(page, channel)
  await sininho.publishAll(channel, titles)
  await gotoLive(page, `/feed?channel=${channel}`)
  await ready(page)
  for (let at = 0; at < 25; at++) {
    await page.keyboard.press('j')
    await expect(cards(page).nth(at).getByRole('heading').getByRole('button')).toBeFocused()
    const covered = await page.evaluate(() => {
      const { left, top } = document.activeElement!.getBoundingClientRect()
      return !document.activeElement!.closest('article')!.contains(document.elementFromPoint(left + 4, top + 8))
    })
    expect(covered, `notification ${at} is covered`).toBe(false)
  }
})
