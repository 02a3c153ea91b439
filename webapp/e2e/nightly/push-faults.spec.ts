import { Notifyd } from '../support/notifyd.ts'
import { allowPush, expect, follow, test } from '../support/test.ts'

test.use({ settings: { PUSH: 'fcm' } })

test('while Firebase is unreachable notifications are in the feed, and a test push reports the failure', async ({
  profile,
  sininho,
  signIn,
}) => {
  const page = await profile.newPage()
  await signIn(page)
  await follow(page)
  await allowPush(page)
  await page.goto('/settings/devices')
  await sininho.breakFcm({ cut: 'before' })
  try {
    await page.getByRole('button', { name: /^Enviar teste para/ }).click()
    await expect(page.getByRole('alert')).toContainText('Não foi possível chegar ao serviço de notificações')
    const title = `Sem Firebase ${Date.now()}`
    await sininho.publish(title)
    await page.goto('/feed')
    await expect(page.getByRole('button', { name: `Por ler: ${title}` })).toBeVisible()
  } finally {
    await sininho.mendFcm()
  }
})

test('the system shows markup in a title or body as text', async ({ profile, sininho, signIn }) => {
  const notifyd = Notifyd.here()
  const page = await profile.newPage()
  await signIn(page)
  await follow(page)
  await allowPush(page, '/demo')
  const title = `<img src=x onerror=alert(1)> ${Date.now()}`
  await page.goto('about:blank')
  await sininho.publish(title, { body: '<b>gordo</b> & <script>alert(1)</script>' })
  // a desktop shows titles as text, and also bodies unless its capabilities include markup; ours do not
  const note = await notifyd.shown(title)
  expect(note.body).toContain('<b>gordo</b> & <script>alert(1)</script>')
})
