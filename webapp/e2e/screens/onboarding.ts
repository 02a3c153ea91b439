import { type Screen, heading } from './screen.ts'

/** The steps of the onboarding. */
export const onboarding: Record<string, Screen> = {
  onboarding: {
    path: '/onboarding',
    signedIn: true,
    ready: async (page) => {
      await heading(page)
      await page.getByRole('checkbox').first().waitFor()
    },
  },
  'onboarding-channels': {
    path: '/onboarding?step=channels',
    signedIn: true,
    ready: async (page) => {
      await heading(page)
      await page
        .getByRole('button', { name: /Seguir / })
        .first()
        .waitFor()
    },
  },
  'onboarding-notifications': {
    path: '/onboarding?step=notifications',
    signedIn: true,
    ready: async (page) => {
      await heading(page)
      await page.getByRole('button', { name: 'Agora não' }).waitFor()
    },
  },
}
