import { type Screen, heading } from './screen.ts'

/** The pages that stand alone. */
export const pages: Record<string, Screen> = {
  index: {
    path: '/',
    ready: async (page) => {
      await heading(page)
      await page.getByRole('region', { name: 'Canais populares' }).getByRole('listitem').first().waitFor()
    },
  },
  'not-found': { path: '/nada', ready: heading },
  privacy: { path: '/privacy', ready: heading },
  guide: { path: '/publicar', ready: heading },
  terms: { path: '/terms', ready: heading },
}
