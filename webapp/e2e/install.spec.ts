import { expect, test } from './support/test.ts'

type Icon = { src: string; sizes: string; type: string; purpose?: string }
type Manifest = Record<string, unknown> & { icons: Icon[] }

test('can be installed: complete manifest, icons of the declared sizes, colours for both schemes', async ({
  page,
  request,
}) => {
  await page.goto('/')
  const attribute = (selector: string, name: string) => page.locator(`head ${selector}`).getAttribute(name)
  const manifest = (await (await request.get((await attribute('link[rel=manifest]', 'href'))!)).json()) as Manifest
  expect(manifest).toMatchObject({
    name: 'Sininho',
    short_name: 'Sininho',
    id: '/',
    lang: 'pt',
    dir: 'ltr',
    start_url: '/feed',
    scope: '/',
    display: 'standalone',
    theme_color: '#1b4ac2',
    background_color: '#fbfaf7',
  })
  const purposes = manifest.icons.map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`)
  expect(purposes).toEqual(expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']))

  const size = (src: string) =>
    page.evaluate(async (address) => {
      const bitmap = await createImageBitmap(await (await fetch(address)).blob())
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!
      context.drawImage(bitmap, 0, 0)
      return { size: `${bitmap.width}x${bitmap.height}`, corner: context.getImageData(0, 0, 1, 1).data[3] }
    }, src)
  for (const { src, sizes, type } of manifest.icons) {
    const response = await request.get(src)
    expect([response.status(), response.headers()['content-type']], src).toEqual([200, type])
    if (type === 'image/png') expect((await size(src)).size, src).toBe(sizes)
  }
  // a maskable icon has no transparent pixels
  for (const { src } of manifest.icons.filter(({ purpose }) => purpose === 'maskable'))
    expect((await size(src)).corner, src).toBe(255)
  const apple = await attribute('link[rel=apple-touch-icon]', 'href')
  expect(await size(apple!)).toEqual({ size: '180x180', corner: 255 })

  for (const [scheme, colour] of [
    ['light', '#fbfaf7'],
    ['dark', '#14161b'],
  ] as const) {
    expect(await attribute(`meta[name=theme-color][media*=${scheme}]`, 'content')).toBe(colour)
    await page.emulateMedia({ colorScheme: scheme })
    await expect(page.locator('body'), scheme).toHaveCSS(
      'background-color',
      `rgb(${[1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)).join(', ')})`,
    )
  }

  // the browser's own checks
  const cdp = await page.context().newCDPSession(page)
  const { errors } = await cdp.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors')
  // the tests' window is incognito, where nothing can be installed
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
})

test('a button says why to install, and takes the offer that the browser made before the screen was there', async ({
  page,
  signIn,
}) => {
  // windows of a test are incognito, where Chromium makes none
  await page.addInitScript(() =>
    addEventListener('load', () => {
      const prompt = async () => {
        Object.assign(globalThis, { prompted: true })
        return { outcome: 'accepted' }
      }
      const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
      dispatchEvent(event)
      Object.assign(globalThis, { held: event.defaultPrevented })
    }),
  )
  await signIn(page, { to: '/feed' })
  await page.getByRole('link', { name: 'Preferências' }).click()
  await page.getByRole('link', { name: 'Aplicação' }).click()
  const section = page.getByRole('region', { name: 'Instalar o Sininho' })
  await expect(section.getByText(/janela própria/)).toBeVisible()
  await section.getByRole('button', { name: 'Instalar' }).click()
  await expect(section.getByText(/Procure o Sininho entre as suas aplicações/)).toBeVisible()
  expect(await page.evaluate(() => ({ ...globalThis }))).toMatchObject({ held: true, prompted: true })
})
