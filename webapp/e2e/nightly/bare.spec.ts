import { Bare } from '../support/bare.ts'
import { Notifyd } from '../support/notifyd.ts'
import { allowPush, expect, test } from '../support/test.ts'

test.use({ settings: { PUSH: 'webpush', ANALYTICS: 'off' } }) // of the server whose stand-ins it uses

test('a bare machine, from init to a push that survives kill -9, without any account', async ({ profile, sininho }) => {
  test.setTimeout(300_000)
  const bare = await Bare.start(sininho)
  try {
    await profile.grantPermissions(['notifications'], { origin: bare.url })
    const asked = new Set<string>()
    profile.on('request', (request) => {
      const { protocol, host } = new URL(request.url())
      if (protocol.startsWith('http')) asked.add(host)
    })
    const notifyd = Notifyd.here()
    const page = await profile.newPage()
    await page.goto(`${bare.url}/login`)
    await page.getByLabel('E-mail').fill('rita@example.com')
    await page.getByRole('button', { name: 'Receber um código' }).click()
    await page.getByLabel('Código de 8 algarismos').fill(await sininho.code('rita@example.com'))
    await page.getByRole('button', { name: 'Confirmar' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'O que lhe interessa?' })).toBeVisible()
    const api = `${bare.url}/api/v1`
    await page.request.put(`${api}/subscribers/onboarding`, { data: { step: 'done' } })

    await page.goto(`${bare.url}/channels/demo/novidades`)
    await page.getByRole('button', { name: 'Seguir Novidades' }).click()
    await expect(page.getByRole('button', { name: /^A seguir/ })).toBeVisible()
    await allowPush(page, `${bare.url}/settings/notifications`)

    await page.request.post(`${api}/publishers`, { data: { slug: 'radio', name: 'Rádio' } })
    const { data } = (await (await page.request.get(`${api}/categories`)).json()) as { data: { id: string }[] }
    const channel = { publisherSlug: 'radio', slug: 'avisos', name: 'Avisos', categoryId: data[0]!.id }
    const { id } = (await (await page.request.post(`${api}/channels`, { data: channel })).json()) as { id: string }
    await page.request.post(`${api}/subscribers/channels/${id}/subscribe`)
    const made = await page.request.post(`${api}/publishers/radio/api-keys`, {
      data: { name: 'CLI', scopes: ['publish'] },
    })
    const { secret } = (await made.json()) as { secret: string }

    await page.goto('about:blank')
    for (const [title, before] of [
      ['Primeira', async () => {}],
      [
        'Depois de kill -9',
        async () => {
          await bare.end('SIGKILL')
          await bare.serve()
        },
      ],
    ] as const) {
      await before()
      bare.publish(secret, 'radio/avisos', title)
      const note = await notifyd.shown(title)
      const opened = profile.waitForEvent('page')
      await notifyd.click(note)
      const target = await opened
      await expect(target.getByRole('article').filter({ hasText: title })).toBeInViewport()
      await target.goto('about:blank')
    }
    await page.goto(`${bare.url}/feed`)
    await expect(page.getByRole('article').filter({ hasText: 'Primeira' })).toBeVisible()
    expect([...asked], 'hosts that pages and the worker have asked').toEqual([new URL(bare.url).host])
  } finally {
    await bare.stop()
  }
})
