import type { BrowserContext } from '@playwright/test'

/** Routes requests for Firebase's two web APIs to the stand-in, because their addresses cannot be configured. */
export async function routeFirebase(context: BrowserContext, standIn: string) {
  for (const host of ['firebaseinstallations.googleapis.com', 'fcmregistrations.googleapis.com']) {
    await context.route(`https://${host}/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url())
      await route.fulfill({ response: await route.fetch({ url: standIn + pathname + search }) })
    })
  }
}
