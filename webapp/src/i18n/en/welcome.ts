import type { welcome as original } from '../welcome'
import type { Translation } from '../translation'

/** The texts of the lower part of the first screen, separate because it is loaded later. */
export const welcome = {
  latest: {
    title: 'The latest',
    text: 'What public channels publish shows up here instantly, without reloading and without an account.',
    live: 'Live',
    connecting: 'Connecting…',
    paused: 'Paused',
    pause: 'Stop updating',
    resume: 'Resume updating',
  },
  reading: {
    door: 'Read',
    title: 'Want to be the first to know?',
    ways: {
      choose: { title: 'Choose channels', text: 'By name or by subject. You don’t need an account to look.' },
      signIn: { title: 'Sign in', text: 'And have what you follow on all your devices.' },
      invited: { title: 'Ask for an invitation', text: 'That’s the way in for now. There is a waiting list.' },
      bell: { title: 'Turn on the bell', text: 'Install Sininho, and notifications arrive even when it is closed.' },
    },
    choose: 'See the channels',
    signIn: 'Sign in',
    waitlist: 'Go to the waiting list',
    feed: 'See the notifications',
  },
  publishing: {
    door: 'Publish',
    title: 'Have something to say?',
    text: 'Write in the browser, or publish by a program, and reach every follower: on the page, live, and on every device that wants it.',
    demo: 'Try it',
    guide: 'How to publish',
    api: 'One HTTP request with your channel’s key.',
    go: 'One call, retried without publishing twice.',
    cli: 'From a terminal, a script or CI.',
    ways: 'How to publish',
  },
  guide: 'How to publish',
  docs: 'Documentation',
  footer: {
    label: 'Footer',
    language: 'Language',
    line: 'Sininho: notification channels on your own server.',
    contract: 'API contract',
    support: 'Support',
  },
} as const satisfies Translation<typeof original>
