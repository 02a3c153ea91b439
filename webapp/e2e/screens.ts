import type { Page } from '@playwright/test'
import { admin } from './screens/admin.ts'
import { demo } from './screens/demo.ts'
import { discovery } from './screens/discovery.ts'
import { fillFeed } from './screens/data/feed.ts'
import { feed } from './screens/feed.ts'
import { invitations } from './screens/invitations.ts'
import { login } from './screens/login.ts'
import { onboarding } from './screens/onboarding.ts'
import { pages } from './screens/pages.ts'
import { passkeys } from './screens/passkeys.ts'
import { painted } from './screens/painted.ts'
import type { Screen } from './screens/screen.ts'
import { settings } from './screens/settings.ts'
import { studio } from './screens/studio.ts'
import { waitlist } from './screens/waitlist.ts'
import type { Sininho } from './support/sininho.ts'
import type { Fixtures } from './support/test.ts'

export const sizes = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
  narrow: { width: 320, height: 844 },
}
export const schemes = ['light', 'dark'] as const

const all = {
  ...pages,
  ...waitlist,
  ...login,
  ...passkeys,
  ...demo,
  ...discovery,
  ...feed,
  ...onboarding,
  ...invitations,
  ...settings,
  ...admin,
  ...studio,
}

/** Every screen, with a function that waits until it is complete. */
export const screens: Record<string, Screen> = Object.fromEntries(
  Object.entries(all).map(([name, { ready, ...screen }]): [string, Screen] => [
    name,
    {
      ...screen,
      ready: async (page, sininho) => {
        await ready(page, sininho)
        await painted(page)
      },
    },
  ]),
)

/** Opens a screen as the one whom it is for, and waits until it is complete. */
export async function open(
  { path, signedIn, operator, arrange, ready }: Screen,
  { page, sininho, signIn }: Pick<Fixtures, 'signIn'> & { page: Page; sininho: Sininho },
) {
  if (signedIn) {
    await signIn(page)
    await fillFeed(page)
  }
  if (operator) await signIn(page, { operator })
  const arranged = await arrange?.(page, sininho)
  await page.goto(arranged || path)
  await ready(page, sininho)
}
