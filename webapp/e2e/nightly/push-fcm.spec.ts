import type { Request } from '@playwright/test'
import { Notifyd } from '../support/notifyd.ts'
import {
  allowPush,
  endSubscription,
  expect,
  follow,
  gotoLive,
  shownBy,
  test,
  turnPushOn,
  welcomeBehind,
} from '../support/test.ts'

test.use({ settings: { PUSH: 'fcm' } })

test('subscribe at Firebase, toast in front, system notification behind, correction', async ({
  profile,
  sininho,
  signIn,
}) => {
  const notifyd = Notifyd.here()
  const page = await profile.newPage()
  await signIn(page)
  await follow(page)
  await allowPush(page)
  const front = `À frente ${Date.now()}`
  await sininho.publish(front, { body: 'Com o Sininho aberto' })
  await expect(page.getByRole('status').filter({ hasText: front })).toHaveCount(1)

  await page.goto('about:blank')
  const behind = `Atrás ${Date.now()}`
  const id = await sininho.publish(behind, { body: 'Com o Sininho fechado' })
  const note = await notifyd.shown(behind)
  await sininho.command('notifications', 'correct', 'demo/novidades', id, '--title', `${behind}, corrigida`)
  expect((await notifyd.shown(`${behind}, corrigida`)).id).toBe(note.id)
})

const registering = (request: Request) => request.url().endsWith('/subscribers/devices') && request.method() === 'POST'

test('a renewed subscription is registered at Firebase while the app is closed, and the app keeps it', async ({
  profile,
  sininho,
  signIn,
}) => {
  const notifyd = Notifyd.here()
  const page = await profile.newPage()
  await signIn(page)
  await follow(page)
  await allowPush(page)
  await page.goto('about:blank')
  const renewed = profile.waitForEvent('request', registering)
  await endSubscription(profile)
  const { address } = (await renewed).postDataJSON() as { address: string }
  await expect.poll(() => shownBy(profile)).toEqual([welcomeBehind])
  const title = `Depois de renovar ${Date.now()}`
  await sininho.publish(title)
  await notifyd.shown(title)

  const again = page.waitForRequest(registering)
  await page.goto('/feed')
  const atOpening = await again
  expect((await atOpening.response())?.status(), 'status of registering at the opening').toBe(200)
  expect(atOpening.postDataJSON(), 'the device at the opening').toMatchObject({ address })
})

test('a test push arrives without Firebase in the page, and turning off unsubscribes', async ({ profile, signIn }) => {
  const page = await profile.newPage()
  await signIn(page, { to: '/settings/notifications' })
  await turnPushOn(page)
  await profile.route('**/assets/firebase-*.js', (route) => route.abort())
  await gotoLive(page, '/settings/devices')
  await page.getByRole('button', { name: /^Enviar teste para/ }).click()
  await expect(page.getByRole('status').filter({ hasText: 'chegam a este dispositivo.' })).toHaveCount(1)
  await profile.unroute('**/assets/firebase-*.js')
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
