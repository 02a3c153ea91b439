import type { BrowserContext } from '@playwright/test'

/** Firebase's two web APIs stand at addresses that cannot be set: what goes there is taken to the stand-in. */
export async function routeFirebase(context: BrowserContext, standIn: string) {
  for (const host of ['firebaseinstallations.googleapis.com', 'fcmregistrations.googleapis.com']) {
    await context.route(`https://${host}/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url())
      await route.fulfill({ response: await route.fetch({ url: standIn + pathname + search }) })
    })
  }
}
