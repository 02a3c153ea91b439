import { Notifyd } from './support/notifyd.ts'
import { allowPush, expect, follow, test } from './support/test.ts'

test('while Firebase cannot be reached what is published is in the feed, and a test push says so', async ({
  profile,
  sininho,
  signIn,
}) => {
  const page = await profile.newPage()
  await signIn(page)
  await follow(page)
  await allowPush(page)
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

test('markup in a title and a text is shown as text by the system too', async ({ profile, sininho, signIn }) => {
  const notifyd = Notifyd.here()
  const page = await profile.newPage()
  await signIn(page)
  await follow(page)
  await allowPush(page, '/demo')
  const title = `<img src=x onerror=alert(1)> ${Date.now()}`
  await page.goto('about:blank')
  await sininho.publish(title, { body: '<b>gordo</b> & <script>alert(1)</script>' })
  // a desktop shows the title as text always, and the text too unless it says that it takes markup; ours does not
  const note = await notifyd.shown(title)
  expect(note.body).toContain('<b>gordo</b> & <script>alert(1)</script>')
})
