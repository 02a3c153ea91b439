import { expect, follow, gotoLive, test } from './support/test.ts'

test('a visitor’s “Seguir” survives the sign-in, and the first steps do not come between', async ({
  page,
  sininho,
}, info) => {
  await page.goto('/channels')
  await page.getByRole('link', { name: 'Seguir Novidades' }).click()
  await expect(page.getByText('Para seguir «Novidades» e receber o que publicar.')).toBeVisible()
  const email = `${info.testId}@example.com`
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Receber um código' }).click()
  await page.getByLabel('Código de 8 algarismos').fill(await sininho.code(email))
  await page.getByRole('button', { name: 'Confirmar' }).click()
  await expect(page).toHaveURL(/\/channels\/demo\/novidades$/)
  await expect(page.getByRole('button', { name: 'A seguir Novidades' })).toBeVisible()
})

test('unfollowing is taken back, with the bell of before', async ({ page, signIn }) => {
  await signIn(page)
  await follow(page)
  await gotoLive(page, '/channels/demo/novidades')
  const bell = page.getByRole('button', { name: /^Sino de Novidades/ })
  await bell.click()
  await page.getByRole('button', { name: /^Só o importante/ }).click()
  await expect(bell).toHaveAccessibleName(/Só o importante/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'A seguir Novidades' }).click()
  await page.getByRole('button', { name: 'Anular' }).click()
  await expect(page.getByRole('button', { name: 'A seguir Novidades' })).toBeVisible()
  await expect(bell).toHaveAccessibleName(/Só o importante/)
})

test('what arrives is found, archived, brought back, selected and shared', async ({ page, sininho, signIn }) => {
  await signIn(page)
  await follow(page)
  const word = `estação${Date.now()}`
  await sininho.publish(`Obras na ${word}`, { body: 'Desvio por Alcântara. Veja https://example.com/desvio.' })
  await gotoLive(page, '/feed')
  const card = page.getByRole('article').filter({ hasText: word })
  await expect(card.getByRole('link', { name: 'https://example.com/desvio' })).toBeVisible()

  await test.step('its text is selected, which opens nothing', async () => {
    await card.getByText('Desvio por Alcântara').dblclick({ position: { x: 20, y: 8 } })
    expect(await page.evaluate(() => getSelection()?.toString().trim())).toBe('Desvio')
    await page.evaluate(() => getSelection()?.removeAllRanges())
  })

  await test.step('it is archived, and brought back', async () => {
    await card.getByRole('button', { name: 'Opções' }).click()
    await page.getByRole('menuitem', { name: 'Arquivar' }).click()
    await expect(card).toHaveCount(0)
    await page.getByRole('link', { name: 'Arquivadas' }).click()
    await card.getByRole('button', { name: 'Opções' }).click()
    await page.getByRole('menuitem', { name: 'Desarquivar' }).click()
    await expect(card).toHaveCount(0)
    await page.getByRole('link', { name: 'Tudo', exact: true }).click()
    await expect(card).toBeVisible()
  })

  await test.step('it is postponed, and is back when its time has come', async () => {
    await card.getByRole('button', { name: 'Opções' }).click()
    await page.getByRole('menuitem', { name: 'Mais tarde' }).click()
    const sheet = page.getByRole('dialog', { name: 'Mais tarde' })
    await sheet.getByRole('button', { name: /^Amanhã de manhã/ }).click()
    await expect(card).toHaveCount(0)
    await page.getByRole('link', { name: 'Mais tarde' }).click()
    await expect(card.getByText(/^adiada até amanhã/)).toBeVisible()
    const id = (await card.getAttribute('data-id'))!
    const soon = new Date(Date.now() + 1000).toISOString()
    await page.request.patch(`/api/v1/subscribers/notifications/${id}`, { data: { snoozedUntil: soon } })
    await expect(card).toHaveCount(0)
    await expect(page.getByRole('status').filter({ hasText: word })).toBeVisible()
    await page.getByRole('link', { name: 'Tudo', exact: true }).click()
    await expect(card.getByRole('button', { name: new RegExp(`^Por ler: .*${word}`) })).toBeVisible()
  })

  await test.step('it is found without its accents, and is shown beside the list', async () => {
    const search = page.getByRole('searchbox', { name: 'Procurar nas notificações' })
    await expect(async () => {
      await search.fill('')
      await search.fill(word.replace('ç', 'c').replace('ã', 'a'))
      await expect(page.getByRole('article')).toHaveCount(1, { timeout: 1000 })
    }).toPass()
    await card.getByRole('heading').getByRole('button').click()
    const pane = page.getByRole('region', { name: 'A notificação que abriu' })
    await expect(pane.getByRole('heading', { name: `Obras na ${word}` })).toBeVisible()
    await pane.getByRole('button', { name: 'Fechar a notificação' }).click()
    await expect(pane).toHaveCount(0)
  })

  await test.step('its page is there for visitors too', async () => {
    await card.getByRole('time').click()
    await expect(page.getByRole('heading', { level: 1, name: `Obras na ${word}` })).toBeVisible()
    const visitor = await page.context().browser()!.newPage({ baseURL: sininho.url })
    const response = await visitor.goto(page.url())
    expect(response?.status()).toBe(200)
    await expect(visitor.getByRole('heading', { level: 1, name: `Obras na ${word}` })).toBeVisible()
    await expect(visitor.locator('meta[property="og:title"]')).toHaveAttribute('content', `Obras na ${word}`)
    await visitor.close()
  })
})
