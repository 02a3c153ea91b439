import type { onboarding as original } from '../onboarding'
import type { Translation } from '../translation'
import { plural } from './words'

/** The texts of the onboarding, separate so that the first screen does not load them. */
export const onboarding = {
  steps: 'Steps',
  names: { interests: 'Interests', channels: 'Channels', notifications: 'Notifications' },
  progress: (step: number, of: number) => `Step ${step} of ${of}`,
  done: 'done',
  next: 'Continue',
  back: 'Back',
  skip: 'Skip all',
  finish: 'See my notifications',
  saveFailed: 'Couldn’t save this step.',
  interests: {
    title: 'What interests you?',
    text: 'Choose topics, and we’ll suggest channels to follow.',
    none: 'No topics yet',
    noneText: 'You can continue: as soon as there are some, you’ll find them in Channels.',
  },
  channels: {
    title: 'Channels to start with',
    text: 'Follow the ones you like. You can change this at any time.',
    empty: 'There are no channels on these topics yet. These are the most followed.',
    none: 'No channels yet',
    noneText: 'As soon as there are some, you’ll find them in Channels.',
    followed: (count: number, of: number) => {
      if (count === of) return 'You follow all of them'
      return count > 0 ? `You follow ${count} of ${of}` : plural(of, 'suggestion', 'suggestions')
    },
    followAll: (count: number, of: number) => (count === of ? 'Follow all' : `Follow the other ${count}`),
  },
  notifications: {
    title: 'Get notified instantly',
    ask: 'Get what matters even when Sininho is closed. Your browser will ask for permission.',
    later: 'What you follow is always on the Notifications page.',
    promises: [
      'Only from the channels you follow.',
      'Each channel has its own bell: everything, what’s important, a daily digest or nothing.',
      'You can turn them off at any time.',
    ],
    enable: 'Turn on notifications',
    notNow: 'Not now',
  },
} satisfies Translation<typeof original>
