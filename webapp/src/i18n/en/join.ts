import type { join as original } from '../join'
import type { Translation } from '../translation'

/** The texts of joining and leaving private channels, separate so that no other screen loads them. */
export const join = {
  title: 'Invitation to a private channel',
  seen: {
    enter: (publisher: string) =>
      `If you join, the team of ${publisher} sees your name. Other members of the channel don’t.`,
    ask: (publisher: string) =>
      `If you ask to join, the team of ${publisher} sees your name. Other members of the channel don’t.`,
  },
  as: (name: string) => `You are signed in as ${name}.`,
  enter: 'Join the channel',
  ask: 'Ask to join',
  signIn: 'Sign in to Sininho',
  signInText: 'Sign in first. Then you come back to this invitation and decide.',
  member: 'You are a member of this channel.',
  open: 'Open the channel',
  requested: 'Waiting for approval',
  requestedText: (publisher: string) =>
    `The team of ${publisher} has your request. Once they approve it, the channel is among those you follow.`,
  ended: 'This invitation no longer works',
  endedText: 'It may have ended, or the address may be incomplete. Ask whoever sent it for a new one.',
  leave: (channel: string) => `Unfollow “${channel}”?`,
  leaveText: 'This channel is private. To come back, you need a new invitation.',
} as const satisfies Translation<typeof original>
