import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from './support/test.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='

/** A publisher's server, and what it has been asked. */
let publisher: Server, url: string, requests: { path: string; headers: IncomingHttpHeaders }[]

test.beforeEach(async () => {
  requests = []
  publisher = createServer(({ url: path = '', headers }, response) => {
    requests.push({ path, headers })
    response.setHeader('Content-Type', 'image/png')
    response.end(path.startsWith('/bad') ? '<script>alert(1)</script>' : Buffer.from(png, 'base64'))
  })
  await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}`
})
test.afterEach(() => new Promise((resolve) => publisher.close(resolve)))

test('pictures come from the server, and a publisher sees no reader', async ({ page, sininho, signIn }) => {
  await signIn(page)
  await page.request.post(`${sininho.url}/api/v1/subscribers/channels/${await demoChannel()}/subscribe`)
  const pictures = (name: string) => ['--image', `${url}/${name}-image`, '--icon', `${url}/${name}-icon`]
  await sininho.publish('Com imagens', { more: pictures('good') })
  await sininho.publish('Sem imagens', { more: pictures('bad') })
  await page.goto('/feed')
  const cards = (title: string) => page.getByRole('article').filter({ has: page.getByRole('heading', { name: title }) })
  await expect(cards('Com imagens').locator('img')).toHaveCount(2)
  for (const picture of await cards('Com imagens').locator('img').all()) {
    await picture.scrollIntoViewIfNeeded()
    await expect(picture).toHaveAttribute('src', new RegExp(`^${sininho.url}/pictures/`))
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1)
  }
  // what is no picture leaves no hole: the icon gives way to the channel's initial
  await expect(cards('Sem imagens').locator('img')).toHaveCount(0)

  // an arrival while another screen is open
  await page.goto('/channels')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect(async () => {
    await sininho.publish('Chegou agora', { more: pictures('late') })
    const toast = page.getByRole('status').filter({ hasText: 'Chegou agora' }).first()
    await expect(toast.locator('img').last()).toHaveJSProperty('naturalWidth', 1, { timeout: 5000 })
  }).toPass()

  const clients = new Set(requests.map(({ headers }) => headers['user-agent']))
  expect([...clients], 'clients of the publisher’s server').toEqual(['Sininho'])
  for (const { headers } of requests) {
    expect(Object.keys(headers).toSorted()).toEqual(['accept', 'accept-encoding', 'host', 'user-agent'])
  }
  const paths = requests.map(({ path }) => path)
  expect(new Set(paths).size, 'each picture is fetched once').toBe(paths.length)

  async function demoChannel() {
    const response = await page.request.get(`${sininho.url}/api/v1/channels/demo/novidades`)
    return ((await response.json()) as { id: string }).id
  }
})
