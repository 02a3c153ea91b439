import type { Locator, Page } from '@playwright/test'
import { Notifyd } from './support/notifyd.ts'
import { studio } from './screens/data/studio.ts'
import { expect, follow, gotoLive, test } from './support/test.ts'

/** Nothing here uses a mouse: every target must be reachable by Tab and visibly focused. */

/** Presses Tab until the target has the focus. Fails after `limit` presses. */
async function tabTo(page: Page, target: Locator, { back = false, limit = 80 } = {}) {
  await expect(target).toBeVisible()
  for (let count = 0; count < limit; count++) {
    if (await target.evaluate((element) => element === document.activeElement)) return expectSeen(page)
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
  }
  throw new Error(`${String(target)} is not reached by Tab`)
}

async function press(page: Page, target: Locator, key = 'Enter') {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Checks that the focused element is in the viewport, not covered, and visibly focused. */
async function expectSeen(page: Page) {
  const seen = { inPicture: true, uncovered: true, marked: true }
  await expect.poll(() => page.evaluate(lookAtFocus)).toEqual({ what: expect.any(String), ...seen })
}

function lookAtFocus() {
  const element = document.activeElement as HTMLElement
  const { left, top, width, height } = element.getBoundingClientRect()
  const at = document.elementFromPoint(left + width / 2, top + Math.min(height, innerHeight - top) / 2)
  const outlined = (each: Element, pseudo?: string) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each, pseudo)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
  }
  const around = [element, element.closest('label'), element.closest('article')].filter((each) => each !== null)
  // a field is marked by its border colour, which differs from that of an unfocused copy
  const twin = element.cloneNode() as HTMLElement
  element.after(twin)
  const bordered = getComputedStyle(element).borderColor !== getComputedStyle(twin).borderColor
  twin.remove()
  return {
    what: element.outerHTML.slice(0, 200),
    inPicture: top + height > 0 && top < innerHeight && left + width > 0 && left < innerWidth,
    // the words of a label are over its checkbox
    uncovered:
      at !== null && (element.contains(at) || at.contains(element) || at.closest('label')?.control === element),
    marked: bordered || around.some((each) => outlined(each) || outlined(each, '::after')),
  }
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

test('a visitor: the first screen, the demonstration, and away', async ({ page }) => {
  await page.goto('/')
  await heading(page, /^Siga/).waitFor()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Saltar para o conteúdo' })).toBeFocused()
  await expectSeen(page)
  await page.keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()

  await press(page, page.getByRole('link', { name: 'Ver demonstração' }))
  await expect(heading(page, 'Demonstração')).toBeFocused()
  await expect(page.getByText('Ao vivo')).toBeVisible()
  await tabTo(page, page.getByRole('textbox', { name: 'Título' }))
  const title = `Pelo teclado ${Date.now()}`
  await page.keyboard.press('Control+A')
  await page.keyboard.type(title)
  await press(page, page.getByRole('button', { name: 'Enviar' }))
  await expect(
    page.getByRole('region', { name: 'A chegar ao canal' }).getByRole('button', { name: title }),
  ).toBeVisible()
  const toast = page.getByRole('status').filter({ hasText: 'Tudo certo!' })
  await press(page, toast.getByRole('button', { name: 'Fechar aviso' }))
  await expect(toast).toBeHidden()

  await press(page, page.getByRole('link', { name: 'Canais', exact: true }).first())
  await expect(heading(page, 'Canais')).toBeFocused()
  const search = page.getByRole('searchbox', { name: 'Procurar canais' })
  await tabTo(page, search)
  await page.keyboard.type('met')
  await expect(page).toHaveURL(/q=met/)
  await expect(search).toBeFocused() // although the URL changes
  await page.keyboard.type('ro')
  await expect(page).toHaveURL(/q=metro/)
  await expect(search).toHaveValue('metro')
  await page.goBack()
  await expect(heading(page, 'Demonstração')).toBeFocused()
})

test('a subscriber: from the onboarding by follow, push and feed to the settings', async ({
  profile,
  sininho,
  signIn,
}) => {
  const page = await profile.newPage()
  await signIn(page, { onboarded: false })
  await expect(page).toHaveURL(/\/onboarding/)
  await press(page, page.getByRole('checkbox', { name: 'Tecnologia' }), 'Space')
  await press(page, page.getByRole('button', { name: 'Continuar' }))
  await expect(heading(page, 'Canais para começar')).toBeFocused()
  await press(page, page.getByRole('button', { name: 'Seguir Novidades' }))
  await press(page, page.getByRole('button', { name: 'Continuar' }))
  await expect(heading(page, 'Receba na hora')).toBeFocused()
  await press(page, page.getByRole('button', { name: 'Ativar notificações' }))
  await expect(page.getByText('Este dispositivo recebe notificações.').first()).toBeVisible()
  await press(page, page.getByRole('button', { name: 'Ver as minhas notificações' }))
  await expect(heading(page, 'Notificações')).toBeFocused()

  const title = `Ao teclado ${Date.now()}`
  await sininho.publish(title)
  await press(page, page.getByRole('button', { name: `Por ler: ${title}` }), 'Space')
  const read = page.getByRole('button', { name: title, exact: true })
  await expect(read).toBeFocused()

  await test.step('the menu of a notification', async () => {
    const card = page.getByRole('article').filter({ hasText: title })
    const options = card.getByRole('button', { name: 'Opções' })
    await press(page, options)
    const menu = page.getByRole('menu')
    await expect(menu.getByRole('menuitem').first()).toBeFocused()
    await expectSeen(page)
    await page.keyboard.press('ArrowDown')
    await expect(menu.getByRole('menuitem').nth(1)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(options).toBeFocused()
  })

  await test.step('the dialog of a bell', async () => {
    const bell = page.getByRole('button', { name: /^Sino de Novidades/ })
    await tabTo(page, bell, { back: true }) // forward comes the whole list
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Sino de Novidades' })
    await expect(dialog).toBeVisible()
    const inside = () => dialog.evaluate((element) => element.contains(document.activeElement))
    const choices = await dialog.getByRole('button').count()
    for (let count = 0; count < choices; count++) {
      expect(await inside()).toBe(true)
      await expectSeen(page)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(bell).toBeFocused()
  })

  await test.step('settings, and out', async () => {
    const settings = page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Preferências' })
    await tabTo(page, settings, { back: true })
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Preferências')).toBeFocused()
    await tabTo(page, page.getByRole('textbox', { name: 'Nome' }))
    await page.keyboard.type(' Silva')
    await press(page, page.getByRole('button', { name: 'Guardar' }))
    await expect(page.getByRole('status').filter({ hasText: 'Tudo certo!Perfil guardado.' })).toBeVisible()
    await tabTo(page, page.getByRole('link', { name: 'Dispositivos' }), { back: true })
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Dispositivos')).toBeFocused()
    await press(page, page.getByRole('button', { name: /^Enviar teste para/ }))
    await Notifyd.here() // fails without the service that shows pushes
    await expect(page.getByText('Teste enviado. Deve chegar dentro de instantes.')).toBeVisible()
    await tabTo(page, page.getByRole('button', { name: 'Sair' }), { back: true })
    await page.keyboard.press('Enter')
    await expect(heading(page, /Siga o que importa/)).toBeVisible()
  })
})

test('at 390 px the bottom bar does not cover the focused element', async ({ page, sininho, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page)
  await follow(page)
  for (let index = 0; index < 6; index++) await sininho.publish(`Debaixo ${index}`)
  await gotoLive(page, '/feed?channel=demo/novidades')
  await expect(page.getByRole('article').nth(5)).toBeVisible()
  const stops = await page.getByRole('article').locator('a, button').count()
  await tabTo(page, page.getByRole('article').first().locator('a, button').first())
  for (let count = 0; count < stops; count++) {
    await expectSeen(page)
    await page.keyboard.press('Tab')
  }
})

test('at 390 px what sends a message does not cover the focused element', async ({ page, sininho, signIn }) => {
  await page.setViewportSize({ width: 390, height: 700 })
  await signIn(page)
  await page.goto(`${await studio(page, sininho)}/write`)
  const text = page.getByRole('textbox', { name: 'O que quer dizer?' })
  await text.fill('Ensaio na sexta\nÀs 21h')
  for (const option of ['Ligação', 'Publicar mais tarde', 'Válida até'])
    await page.getByRole('button', { name: option, exact: true }).click()
  await tabTo(page, text, { back: true })
  const last = page
    .getByRole('button', { name: 'Agendar' })
    .or(page.getByRole('button', { name: 'Publicar', exact: true }))
  for (let stops = 0; stops < 40; stops++) {
    if (await last.evaluate((button) => button === document.activeElement)) break
    await expectSeen(page)
    await page.keyboard.press('Tab')
  }
  await expect(last).toBeFocused()
})
