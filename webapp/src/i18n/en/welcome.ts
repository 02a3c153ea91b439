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
} as const satisfies Translation<typeof original>
