import { join } from 'node:path'
import { open, schemes, screens, sizes } from './screens.ts'
import { test } from './support/test.ts'

const folder = join(import.meta.dirname, '../../screenshots')

/** What README.md shows, as small files that git keeps. */
const shown: Record<string, string> = { 'feed-desktop-light': 'feed', 'channel-phone-light': 'channel' }
const docs = join(import.meta.dirname, '../../docs/pictures')

for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of schemes) {
    test.describe(`${size}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme, contextOptions: { reducedMotion: 'reduce' } })
      for (const [name, screen] of Object.entries(screens)) {
        test(name, async ({ page, sininho, signIn }) => {
          await open(screen, { page, sininho, signIn })
          const picture = `${name}-${size}-${colorScheme}`
          await page.screenshot({ path: join(folder, `${picture}.png`) })
          if (shown[picture]) await page.screenshot({ path: join(docs, `${shown[picture]}.jpg`), quality: 80 })
        })
      }
    })
  }
}
