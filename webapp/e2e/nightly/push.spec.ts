import type { Page } from '@playwright/test'
import { type Note, Notifyd } from '../support/notifyd.ts'
import {
  endSubscription,
  expect,
  gotoLive,
  openReceiving,
  shownBy,
  test,
  turnPushOn,
  welcome,
  welcomeBehind,
} from '../support/test.ts'

test.use({ settings: { PUSH: 'webpush', ANALYTICS: 'off' } })

test('a correction or withdrawal changes a notification that is still shown, and no other', async ({
  profile,
  sininho,
  signIn,
}) => {
  const notifyd = Notifyd.here()
  const page = await openReceiving(profile, signIn)
  await page.goto('about:blank')

  const title = `Concerto ${Date.now()}`
  const id = await sininho.publish(title, { body: 'Às 21h' })
  const other = `Feira ${Date.now()}`
  const otherId = await sininho.publish(other)
  const [note, closed] = [await notifyd.shown(title), await notifyd.shown(other)]
  await notifyd.dismiss(closed)

  const change = ['notifications', 'correct', 'demo/novidades']
  await sininho.command(...change, otherId, '--title', `${other}, corrigida`)
  await sininho.command(...change, id, '--title', `${title}, às 22h`, '--body', 'Nova hora')
  const corrected = await notifyd.shown(`${title}, às 22h`)
  expect(corrected.id).toBe(note.id)
  expect(corrected.body).toContain('Novidades · Nova hora')

  await sininho.command('notifications', 'withdraw', 'demo/novidades', id, '--yes')
  await expect.poll(async () => (await notifyd.note(note)).closed).toBe(true)
  expect((await notifyd.notes()).filter(({ summary }) => summary.startsWith(other))).toHaveLength(1)
})

test('reading in the app closes the system notification, and no other', async ({ profile, sininho, signIn }) => {
  const notifyd = Notifyd.here()
  const page = await openReceiving(profile, signIn)
  await page.goto('about:blank')
  const [here, elsewhere, unread] = [`Aqui ${Date.now()}`, `Noutro lado ${Date.now()}`, `Por ler ${Date.now()}`]
  await sininho.publish(here)
  const elsewhereId = await sininho.publish(elsewhere)
  await sininho.publish(unread)
  const notes = await Promise.all([here, elsewhere, unread].map((title) => notifyd.shown(title)))
  const closed = async () => (await Promise.all(notes.map((note) => notifyd.note(note)))).map((note) => note.closed)

  await gotoLive(page, '/feed')
  await page.getByRole('button', { name: `Por ler: ${here}` }).click()
  await expect.poll(closed).toEqual([true, false, false])
  await page.request.patch(`/api/v1/subscribers/notifications/${elsewhereId}`, { data: { read: true } })
  await expect.poll(closed).toEqual([true, true, false])
})

test('a click opens the link of the publisher, and marks as read', async ({ profile, sininho, signIn }) => {
  const notifyd = Notifyd.here()
  const page = await openReceiving(profile, signIn)
  await page.goto('about:blank')
  const link = 'https://metro.example/azul'
  await profile.route(link, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Linha azul</h1>' }))
  const title = `Com ligação ${Date.now()}`
  const id = await sininho.publish(title, { more: ['--link', link] })
  const note = await notifyd.shown(title)
  expect(note.body).toContain('Novidades')

  const opened = profile.waitForEvent('page')
  await notifyd.click(note)
  await expect(await opened).toHaveURL(link)
  await expect.poll(async () => (await stateOf(page, id)).readAt).toBeTruthy()
})

test('the buttons archive and mute without opening the app, and open it when that fails', async ({
  profile,
  sininho,
  signIn,
}) => {
  const notifyd = Notifyd.here()
  const page = await openReceiving(profile, signIn)
  await page.goto('about:blank')
  const [first, second, third] = [`Um ${Date.now()}`, `Dois ${Date.now()}`, `Três ${Date.now()}`]
  const firstId = await sininho.publish(first)
  await sininho.publish(second)
  const thirdId = await sininho.publish(third)

  await notifyd.press(await notifyd.shown(first), 'Arquivar')
  await expect.poll(async () => (await stateOf(page, firstId)).archivedAt).toBeTruthy()

  await notifyd.press(await notifyd.shown(second), 'Silenciar 1 hora')
  const mutedUntil = async () => {
    const { data } = (await (await page.request.get('/api/v1/subscribers/channels')).json()) as {
      data: { mutedUntil?: string }[]
    }
    return Date.parse(data[0]?.mutedUntil ?? '') - Date.now()
  }
  await expect.poll(mutedUntil).toBeGreaterThan(50 * 60 * 1000)
  expect(profile.pages()).toHaveLength(2) // the first, empty one and ours

  const note = await notifyd.shown(third)
  await page.context().clearCookies() // the session has ended
  const opened = profile.waitForEvent('page')
  await notifyd.press(note, 'Arquivar')
  await expect(await opened).toHaveURL((url) => url.pathname === '/login' && url.search.includes(thirdId))
})

test('what was read or archived on another device is closed at the next push, and the badge counts', async ({
  profile,
  sininho,
  signIn,
}) => {
  const notifyd = Notifyd.here()
  const page = await openReceiving(profile, signIn)
  await page.request.post('/api/v1/subscribers/notifications/read-all', { data: {} })
  await page.goto('about:blank')
  const worker = profile.serviceWorkers()[0]!
  await worker.evaluate(() => {
    const counts: number[] = []
    Object.assign(globalThis, { counts })
    Object.assign(navigator, { setAppBadge: async (count: number) => void counts.push(count) })
  })
  const counts = () => worker.evaluate(() => (globalThis as unknown as { counts: number[] }).counts)

  const titles = ['Lida', 'Arquivada', 'Por ler'].map((title) => `${title} ${Date.now()}`)
  const ids: string[] = []
  const notes: Note[] = []
  for (const title of titles) {
    ids.push(await sininho.publish(title))
    notes.push(await notifyd.shown(title))
    await expect.poll(counts).toEqual(ids.map((_, index) => index + 1))
  }
  const change = (id: string, data: object) => page.request.patch(`/api/v1/subscribers/notifications/${id}`, { data })
  await change(ids[0]!, { read: true })
  await change(ids[1]!, { archived: true })
  const closed = async () => (await Promise.all(notes.map((note) => notifyd.note(note)))).map((note) => note.closed)
  expect(await closed()).toEqual([false, false, false])

  const next = `Seguinte ${Date.now()}`
  await sininho.publish(next)
  await expect.poll(closed).toEqual([true, true, false])
  await notifyd.shown(next)
  await expect.poll(counts).toEqual([1, 2, 3, 2])
})

test('what was archived on another device is closed at the next opening', async ({ profile, sininho, signIn }) => {
  const notifyd = Notifyd.here()
  const page = await openReceiving(profile, signIn)
  await page.goto('about:blank')
  const title = `Arquivada ${Date.now()}`
  const id = await sininho.publish(title)
  const note = await notifyd.shown(title)
  await page.request.patch(`/api/v1/subscribers/notifications/${id}`, { data: { archived: true } })
  await page.goto('/settings')
  await expect.poll(async () => (await notifyd.note(note)).closed).toBe(true)
})

test('a visible tab without the app leaves the push to the system', async ({ profile, sininho, signIn }) => {
  const notifyd = Notifyd.here()
  const page = await openReceiving(profile, signIn)
  await page.goto('/docs')
  const title = `Nos guias ${Date.now()}`
  await sininho.publish(title)
  await notifyd.shown(title)
})

test('a browser that is registered is welcomed once, and rings', async ({ profile, sininho, signIn }) => {
  const page = await openReceiving(profile, signIn)
  await expect(welcome(page)).toContainText('As notificações chegam a este dispositivo.')
  await expect(page.getByText('Tudo certo!')).toHaveCount(0)

  // loading the app registers it again, which is no occasion for another
  await gotoLive(page, '/settings/devices')
  await expect(page.getByRole('listitem').filter({ hasText: 'Este dispositivo' })).toContainText(/Toca desde \d/)
  const title = `Depois ${Date.now()}`
  await sininho.publish(title)
  await expect(page.getByRole('status').filter({ hasText: title })).toHaveCount(1)
  await expect(welcome(page)).toHaveCount(0)

  // a browser whose device was removed begins anew, and shows the welcome itself while the app is behind
  const { id, installationId, kind, platform, name } = await deviceOf(page)
  const subscription = await page.evaluate(async () =>
    (await (await navigator.serviceWorker.ready).pushManager.getSubscription())!.toJSON(),
  )
  await page.goto('about:blank')
  await page.request.delete(`/api/v1/subscribers/devices/${id}`)
  const { endpoint, keys } = subscription
  const data = { installationId, kind, platform, name, endpoint, keys }
  const registered = await page.request.post('/api/v1/subscribers/devices', { data })
  expect(registered.status(), 'status of registering again').toBe(201)
  await expect.poll(() => shownBy(profile)).toEqual([welcomeBehind])
  await expect.poll(async () => (await deviceOf(page)).ringsSince).toBeTruthy()
})

test('a subscription that the browser renews is registered while the app is closed', async ({
  profile,
  sininho,
  signIn,
}) => {
  const notifyd = Notifyd.here()
  const page = await openReceiving(profile, signIn)
  await page.goto('about:blank')
  await endSubscription(profile)
  await expect.poll(() => shownBy(profile)).toEqual([welcomeBehind])
  const title = `Depois de renovar ${Date.now()}`
  await sininho.publish(title)
  await notifyd.shown(title)
})

test('a test push from the settings arrives, and turning off unsubscribes', async ({ profile, signIn }) => {
  const page = await profile.newPage()
  await signIn(page, { to: '/settings/notifications' })
  await turnPushOn(page)

  // it has no link to a notification
  await gotoLive(page, '/settings/devices')
  await expect(page.getByText('Este dispositivo', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^Enviar teste para/ }).click()
  await expect(page.getByText('Teste enviado. Deve chegar dentro de instantes.')).toBeVisible()
  const toast = page.getByRole('status').filter({ hasText: 'As notificações chegam a este dispositivo.' })
  await expect(toast).toHaveCount(1)
  await expect(toast.getByRole('link')).toHaveCount(0)
  await expect(page.getByText('O dispositivo mostrou o teste.')).toBeVisible()
  await page.goto('/settings/notifications')
  await page.getByRole('button', { name: 'Desativar neste dispositivo' }).click()
  await page.getByRole('link', { name: 'Dispositivos' }).click()
  await expect(page.getByText('Nenhum dispositivo recebe notificações.')).toBeVisible()
  const subscribed = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    return (await registration?.pushManager.getSubscription()) !== null
  })
  expect(subscribed).toBe(false)
})

type Device = Record<'id' | 'installationId' | 'kind' | 'platform' | 'name', string> & { ringsSince?: string }

/** Returns the only device of the page's person. */
const deviceOf = async (page: Page) => {
  const { data } = (await (await page.request.get('/api/v1/subscribers/devices')).json()) as { data: [Device] }
  return data[0]
}

type State = { readAt?: string; archivedAt?: string }

/** Returns what the page's person has done with a notification. */
const stateOf = async (page: Page, id: string) =>
  (await (await page.request.get(`/api/v1/subscribers/notifications/${id}`)).json()) as State
