import type { Translation } from '../translation'
import type { waitlist as original } from '../waitlist'
import { clock, number, plural } from './words'

/** The waiting list's texts, separate so that the first screen does not load them at once. */
export const waitlist = {
  join: {
    title: 'Join the waitlist',
    text: 'For now, joining Sininho is by invitation. Leave your email, and we’ll save your place.',
    how: 'Invitations go out in order, and those who bring others move up the list.',
    referred: 'You came through a shared link: when you confirm your email, the person who shared it moves up too.',
    form: 'Waitlist',
    email: 'Email',
    example: 'name@example.com',
    emailMissing: 'Enter your email.',
    emailWrong: 'Enter the full address, such as ana@example.com.',
    name: 'Name (optional)',
    submit: 'Save my place',
    note: 'We write only to confirm the address and to invite you. You can leave whenever you like.',
    offline: 'You’re offline. You can join as soon as you’re back online.',
    tooMany: (until: Date) => `There were many sign-ups in a row from here. You can try again at ${clock(until)}.`,
    sent: 'Check your email',
    sentText: (email: string) =>
      `A message is on its way to ${email}. Open the link in it: it confirms your address and shows your place on the list.`,
    sentLate: 'Nothing after a few minutes? Check your spam folder, or whether the address is right.',
    again: 'Use another email',
  },

  place: {
    list: 'Waitlist',
    loading: 'Finding your place…',
    title: 'Your place on the waitlist',
    titleOf: (name: string) => `${name}, this is your place on the list`,
    position: (position: number) => `#${number(position)}`,
    total: (total: number) => (total === 1 ? 'on a list of 1 person' : `on a list of ${number(total)} people`),
    confirmed: (email: string) => `Your email is confirmed. When your turn comes, the invitation will go to ${email}.`,
    share: 'Move up the list',
    shareText: 'Each person who joins through this link, and confirms their email, moves you up.',
    shareMessage: 'I’m on the waitlist for Sininho. Join it too:',
    copy: 'Copy link',
    shareAction: 'Share',
    referrals: (count: number) =>
      count === 0 ? 'You haven’t brought anyone yet.' : `You’ve brought ${plural(count, 'person', 'people')} so far.`,
    leave: 'Leave the list',
    leaveQuestion: 'Leave the waitlist?',
    leaveText:
      'We’ll delete your email and everything else we keep about your entry. Those you brought keep their place; yours is lost.',
    leaveTextInvited:
      'We’ll delete your email and everything else we keep about your entry. The invitation will no longer be valid.',
    stay: 'Stay on the list',
    leaveFailed: 'Couldn’t leave the list.',
    left: 'You left the waitlist',
    leftText: 'Your email was deleted. If you change your mind, you can join again.',
    joinAgain: 'Go to the waitlist',
    invited: 'It’s your turn',
    invitedText: 'You have an invitation to Sininho. Sign in with any account you like: the invitation works once.',
    enter: 'Accept the invitation',
    joined: 'You’re already on Sininho',
    joinedText: (email: string) => `The entry for ${email} is now an account: there’s no need to wait any longer.`,
    feed: 'See my notifications',
    unknown: 'This link no longer works',
    unknownText:
      'People who left the list, or didn’t confirm their email within 30 days, no longer have a place on it. Check too that you copied the whole link.',
  },
} as const satisfies Translation<typeof original>
