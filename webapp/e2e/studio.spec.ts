import type { Page } from '@playwright/test'
import { sizes } from './screens.ts'
import { Taps } from './support/taps.ts'
import { expect, test } from './support/test.ts'

test.use({ viewport: sizes.phone })

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const field = (page: Page) => page.getByRole('textbox', { name: 'O que quer dizer?' })

/** Creates a channel with a publisher of its own, and opens it in the studio. */
async function begin(page: Page, visibility = 'Todos') {
  const name = `Escola ${Date.now()}`
  await page.goto('/new')
  await page.getByRole('textbox', { name: 'Quem publica' }).fill(name)
  await page.getByRole('textbox', { name: 'Nome do canal' }).fill('Avisos aos pais')
  await page.getByRole('combobox', { name: 'Categoria' }).selectOption({ index: 1 })
  await page.getByRole('radio', { name: visibility }).check()
  await page.getByRole('button', { name: 'Criar canal' }).click()
  await expect(heading(page, 'Avisos aos pais')).toBeVisible()
  return name.toLowerCase().replace(' ', '-')
}

test('the first publish takes at most 12 taps after signing in, and reaches a follower', async ({
  page,
  signIn,
  browser,
  sininho,
}) => {
  await signIn(page)
  const taps = Taps.of(page)
  const start = Date.now()
  await page.goto('/settings/publishing')
  await taps.on(page.getByRole('link', { name: 'Criar um canal' }))
  await taps.type(page.getByRole('textbox', { name: 'Quem publica' }), `Junta ${start}`)
  await taps.type(page.getByRole('textbox', { name: 'Nome do canal' }), 'Avisos')
  await expect(page.getByText(`/channels/junta-${start}/avisos`)).toBeVisible()
  await taps.on(page.getByRole('combobox', { name: 'Categoria' }), (select) => select.selectOption({ index: 1 }))
  await taps.on(page.getByRole('button', { name: 'Criar canal' }))
  await taps.on(page.getByRole('link', { name: 'Escrever', exact: true }))
  await taps.type(field(page), 'Falta a água na Rua Direita\nDas 9 às 12, por obras.')
  await taps.on(page.getByRole('button', { name: 'Publicar', exact: true }))
  await expect(page.getByText(/^Sai dentro de \d+ s$/)).toBeVisible()
  taps.atMost(12)
  expect(Date.now() - start, 'milliseconds').toBeLessThan(60_000)

  const visitor = await browser.newPage({ baseURL: sininho.url })
  await visitor.goto(`/channels/junta-${start}/avisos`)
  await expect(visitor.getByText('Falta a água na Rua Direita')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Falta a água na Rua Direita/ })).toBeVisible()
  await visitor.close()
})

test('what was published is taken back within ten seconds, and its text is there again', async ({ page, signIn }) => {
  await signIn(page)
  const slug = await begin(page)
  await page.getByRole('link', { name: 'Escrever', exact: true }).click()
  await field(page).fill('Engano\nNão era isto.')
  await page.getByRole('button', { name: 'Publicar', exact: true }).click()
  await page.getByRole('button', { name: 'Anular «Engano»' }).click()
  await expect(field(page)).toHaveValue('Engano\nNão era isto.')
  const list = await page.request.get(`/api/v1/channels/${slug}/avisos-aos-pais/notifications`)
  expect(await list.json()).toMatchObject({ meta: { total: 0 } })
  const scheduled = await page.request.get(`/api/v1/channels/${slug}/avisos-aos-pais/notifications?scheduled=true`)
  expect(await scheduled.json()).toMatchObject({ meta: { total: 0 } })
  const channel = await page.request.get(`/api/v1/channels/${slug}/avisos-aos-pais`)
  expect(await channel.json(), 'never published').not.toHaveProperty('lastPublishedAt')
})

test('a typo is mended by three taps, and readers see it', async ({ page, signIn }) => {
  await signIn(page)
  const slug = await begin(page)
  const path = `/api/v1/channels/${slug}/avisos-aos-pais/notifications`
  await page.request.post(path, { data: { title: 'Reunião na sexta ás 18h', body: 'Na cantina.' } })
  await page.reload()
  const taps = Taps.of(page)
  await taps.on(page.getByRole('button', { name: /^Reunião na sexta/ }))
  await expect(page.getByRole('region', { name: /^O que aconteceu a/ })).toContainText('Ninguém com um dispositivo')
  await taps.on(page.getByRole('link', { name: 'Corrigir' }))
  await field(page).fill('Reunião na sexta às 18h\nNa cantina.')
  await taps.on(page.getByRole('button', { name: 'Guardar' }))
  taps.atMost(3)
  await expect(page.getByRole('button', { name: /^Reunião na sexta às 18h/ })).toContainText('corrigida')
  expect(await (await page.request.get(path)).json()).toMatchObject({ data: [{ body: 'Na cantina.' }] })
})

test('a notification is scheduled, moved, published at once and withdrawn', async ({ page, signIn }) => {
  await signIn(page)
  await begin(page, 'Só quem for convidado')
  await page.getByRole('link', { name: 'Escrever', exact: true }).click()
  await field(page).fill('Visita de estudo')
  await page.getByRole('button', { name: 'Publicar mais tarde' }).click()
  await page.getByLabel('Publicar mais tarde', { exact: true }).fill('2027-05-20T08:00')
  await page.getByRole('button', { name: 'Agendar' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Visita de estudo' })
  await expect(row).toContainText('08:00')
  await row.getByRole('link', { name: 'Alterar' }).click()
  await page.getByLabel('Publicar mais tarde', { exact: true }).fill('2027-05-21T09:30')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(row).toContainText('09:30')
  await row.getByRole('button', { name: 'Publicar já' }).click()
  const published = page.getByRole('button', { name: /^Visita de estudo/ })
  await published.click()
  await page.getByRole('button', { name: 'Retirar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Retirar' }).click()
  await expect(page.getByText('Ainda não publicou nada aqui.')).toBeVisible()
})

test('a channel is renamed, printed as a poster and deleted', async ({ page, signIn }) => {
  await signIn(page)
  const slug = await begin(page)
  await page.getByRole('link', { name: 'Definições' }).click()
  await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Recados aos pais')
  await page.getByRole('form', { name: 'O canal' }).getByRole('button', { name: 'Guardar' }).click()
  await page.getByRole('link', { name: 'Recados aos pais' }).click()
  await page.getByRole('link', { name: 'Cartaz' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Recados aos pais' })).toBeVisible()
  await expect(page.getByRole('img', { name: new RegExp(`/channels/${slug}/avisos-aos-pais$`) })).toBeVisible()
  await page.getByRole('link', { name: 'Recados aos pais' }).click()
  await page.getByRole('link', { name: 'Definições' }).click()
  await page.getByRole('button', { name: 'Apagar o canal' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Apagar o canal' }).click()
  await expect(dialog.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByRole('textbox').fill('Recados aos pais')
  await dialog.getByRole('button', { name: 'Apagar o canal' }).click()
  await expect(heading(page, 'Publicar')).toBeVisible()
  expect((await page.request.get(`/api/v1/channels/${slug}/avisos-aos-pais`)).status()).toBe(404)
})

test('somebody is invited to publish, and may do no more than that', async ({ page, signIn, browser, sininho }) => {
  await signIn(page)
  const slug = await begin(page)
  await page.goto(`/studio/${slug}`)
  const people = page.getByRole('region', { name: 'Pessoas' })
  await people.getByRole('button', { name: 'Convidar alguém' }).click()
  const { email } = sininho.person()
  await people.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await people.getByRole('button', { name: 'Convidar', exact: true }).click()
  await expect(people.getByRole('listitem').filter({ hasText: email })).toContainText('Pode publicar')

  const other = await browser.newPage({ baseURL: sininho.url })
  await other.request.get(`/api/v1/auth/google?login_hint=${encodeURIComponent(email)}`)
  await other.goto('/invitations')
  await other.getByRole('button', { name: /^Aceitar o convite de Escola/ }).click()
  await other.getByRole('link', { name: 'Publicar', exact: true }).click()
  await other.getByRole('link', { name: 'Pessoas e chaves' }).click()
  await expect(other.getByRole('region', { name: 'Pessoas' }).getByRole('listitem')).toHaveCount(2)
  await expect(other.getByRole('button', { name: /^(Convidar alguém|Criar chave|Retirar)/ })).toHaveCount(0)
  await other.getByRole('button', { name: 'Sair', exact: true }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Sair', exact: true }).click()
  await expect(other.getByText('Tem algo para anunciar?')).toBeVisible()
  await other.close()
})

test('a key is created, publishes, is rotated and revoked', async ({ page, signIn, request, sininho }) => {
  await signIn(page)
  const slug = await begin(page)
  await page.goto(`/studio/${slug}`)
  const keys = page.getByRole('region', { name: 'Chaves para programas' })
  const publish = async (key: string) => {
    const response = await request.post(`${sininho.url}/api/v1/channels/${slug}/avisos-aos-pais/notifications`, {
      headers: { Authorization: `Bearer ${key}` },
      data: { title: 'De um programa' },
    })
    return response.status()
  }
  const secret = async () => {
    const shown = await keys.getByText(/^snh_live_\w+$/).textContent()
    await keys.getByRole('button', { name: 'Já a guardei' }).click()
    return shown!
  }
  await keys.getByRole('button', { name: 'Criar chave' }).click()
  await keys.getByRole('textbox', { name: 'Nome' }).fill('Cópias')
  await keys.getByRole('button', { name: 'Criar chave' }).click()
  const first = await secret()
  expect(await publish(first)).toBe(201)
  await keys.getByRole('button', { name: 'Trocar Cópias por uma nova' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Trocar' }).click()
  const second = await secret()
  expect([await publish(first), await publish(second)]).toEqual([201, 201])
  await keys.getByRole('button', { name: 'Revogar Cópias' }).last().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revogar' }).click()
  await expect(page.getByText('A chave foi revogada.')).toBeVisible()
  expect([await publish(first), await publish(second)].toSorted()).toEqual([201, 401])
})

/** A photo of 1.8 MB in a format that only browsers decode. */
function photo(): { name: string; mimeType: string; buffer: Buffer } {
  const [width, height] = [1000, 600]
  const buffer = Buffer.alloc(54 + width * height * 3, 0x80)
  buffer.write('BM')
  buffer.fill(0, 2, 54)
  buffer.writeUInt32LE(buffer.length, 2)
  buffer.writeUInt32LE(54, 10)
  buffer.writeUInt32LE(40, 14)
  buffer.writeInt32LE(width, 18)
  buffer.writeInt32LE(height, 22)
  buffer.writeUInt16LE(1, 26)
  buffer.writeUInt16LE(24, 28)
  return { name: 'foto.bmp', mimeType: 'image/bmp', buffer }
}

test('a photo is published by at most 5 taps, and readers see it small', async ({ page, signIn, browser, sininho }) => {
  await signIn(page)
  const slug = await begin(page)
  const taps = Taps.of(page)
  await taps.on(page.getByRole('link', { name: 'Escrever', exact: true }))
  await taps.type(field(page), 'Festa de Natal')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    taps.on(page.getByRole('button', { name: 'Imagem' })),
  ])
  await chooser.setFiles(photo())
  await field(page).press('End')
  await field(page).pressSequentially(' na escola') // while it is sent
  await expect(page.getByRole('button', { name: 'Trocar' })).toBeVisible()
  await expect(field(page)).toHaveValue('Festa de Natal na escola')
  await taps.on(page.getByRole('button', { name: 'Publicar', exact: true }))
  taps.atMost(5)

  const visitor = await browser.newPage({ baseURL: sininho.url })
  await visitor.goto(`/channels/${slug}/avisos-aos-pais`)
  const card = visitor.getByRole('article').filter({ hasText: 'Festa de Natal na escola' })
  const image = card.locator('img[src*="/pictures/uploads/"]')
  await expect(image).toHaveAttribute('src', /\?size=thumbnail$/)
  await expect(image).toHaveJSProperty('naturalWidth', 192)
  await visitor.close()
})

test('a channel begins with a picture, which is changed', async ({ page, signIn }) => {
  await signIn(page)
  await page.goto('/new')
  const name = `Clube ${Date.now()}`
  await page.getByRole('textbox', { name: 'Quem publica' }).fill(name)
  await page.getByRole('textbox', { name: 'Nome do canal' }).fill('Jogos')
  await page.getByRole('combobox', { name: 'Categoria' }).selectOption({ index: 1 })
  await page.locator('input[type=file]').setInputFiles('public/icon-192.png')
  await page.getByRole('button', { name: 'Criar canal' }).click()
  await expect(heading(page, 'Jogos')).toBeVisible()
  const path = `/api/v1/channels/${name.toLowerCase().replace(' ', '-')}/jogos`
  const { icon } = await (await page.request.get(path)).json()
  expect(icon).toMatch(/\/pictures\/uploads\/[\w-]{22}$/)
  await page.getByRole('link', { name: 'Definições' }).click()
  await page.getByRole('button', { name: 'Tirar' }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('x') })
  await expect(page.getByText('O ficheiro está danificado')).toBeVisible()
  await page.locator('input[type=file]').setInputFiles(photo())
  await expect(page.getByRole('button', { name: 'Trocar' })).toBeVisible()
  await page.getByRole('form', { name: 'O canal' }).getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Canal guardado.')).toBeVisible()
  const changed = await (await page.request.get(path)).json()
  expect(changed.icon).toMatch(/\/pictures\/uploads\/[\w-]{22}$/)
  expect(changed.icon).not.toBe(icon)
})
