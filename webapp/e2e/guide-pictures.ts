import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { open, sizes } from './screens.ts'
import { guide } from './screens/guide.ts'
import { test } from './support/test.ts'

const folder = join(import.meta.dirname, '../src/features/guide/pictures')
const room = 16

test.use({ viewport: { ...sizes.phone, height: 1400 }, contextOptions: { reducedMotion: 'reduce' } })

/** Takes the pictures of the guide for publishers: small files, which git keeps. */
for (const [name, scene] of Object.entries(guide)) {
  test(`guide, ${name}`, async ({ page, sininho, signIn }) => {
    await open(scene, { page, sininho, signIn })
    const [first, last] = await Promise.all(scene.part(page).map((each) => each.boundingBox()))
    if (!first || !last) throw new Error(`The picture ${name} has nothing to show.`)
    const y = Math.round(first.y) - room
    const height = Math.round(last.y + last.height) + room - y
    const browser = await page.context().newCDPSession(page)
    const { data } = await browser.send('Page.captureScreenshot', {
      format: 'webp', // a third of a PNG; Playwright itself writes none
      quality: 75,
      clip: { x: 0, y, width: sizes.phone.width, height, scale: 2 },
    })
    await writeFile(join(folder, `${name}.webp`), Buffer.from(data, 'base64'))
  })
}
