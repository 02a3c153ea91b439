import { join } from 'node:path'
import { open, schemes, screens, sizes } from './screens.ts'
import { enlargeText } from './support/text.ts'
import { test } from './support/test.ts'

const folder = join(import.meta.dirname, '../../screenshots')

/** What README.md shows, as small files that git keeps. */
const shown: Record<string, string> = { 'feed-desktop-light': 'feed', 'channel-phone-light': 'channel' }
const docs = join(import.meta.dirname, '../../docs/pictures')

/** The sizes of windows and of their text. The last two differ from the first in what has room, not in colours. */
const looks = {
  phone: { viewport: sizes.phone, text: 1, schemes },
  desktop: { viewport: sizes.desktop, text: 1, schemes },
  narrow: { viewport: sizes.narrow, text: 1, schemes: ['light'] },
  large: { viewport: sizes.phone, text: 2, schemes: ['light'] },
} as const

for (const [size, look] of Object.entries(looks)) {
  for (const colorScheme of look.schemes) {
    test.describe(`${size}, ${colorScheme}`, () => {
      test.use({ viewport: look.viewport, colorScheme, contextOptions: { reducedMotion: 'reduce' } })
      for (const [name, screen] of Object.entries(screens)) {
        test(name, async ({ page, sininho, signIn }) => {
          await open(screen, { page, sininho, signIn })
          if (look.text > 1) await enlargeText(page, look.text)
          const picture = `${name}-${size}-${colorScheme}`
          await page.screenshot({ path: join(folder, `${picture}.png`) })
          if (shown[picture]) await page.screenshot({ path: join(docs, `${shown[picture]}.jpg`), quality: 80 })
        })
      }
    })
  }
}
