import type { channelMembers as original } from '../channel-members'
import type { Translation } from '../translation'
import { number, plural } from './words'

/** The texts about who is in a private channel. */
export const channelMembers = {
  title: 'Members of the channel',
  text: 'Only those here see the channel. Members do not see each other.',
  nameless: 'Without a name',
  since: (date: string) => `since ${date}`,

  requests: {
    title: 'Want to join',
    asked: (when: string) => `asked ${when}`,
    approve: 'Accept',
    approveOf: (name: string) => `Accept ${name}`,
    approved: 'Now in the channel.',
    refuse: 'Refuse',
    refuseOf: (name: string) => `Refuse ${name}`,
    refuseQuestion: (name: string) => `Refuse ${name}?`,
    refuseText: 'They can ask again only with a new invitation.',
    refused: 'The request was refused.',
  },

  members: {
    title: 'In the channel',
    none: 'Nobody yet. Invite the first people.',
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    removeQuestion: (name: string) => `Remove ${name} from the channel?`,
    removeText:
      'The channel no longer exists for this person, and nothing reaches them. To come back they need a new invitation.',
    removed: 'No longer in the channel.',
  },

  invitations: {
    title: 'Invitations',
    link: 'Link',
    used: (uses: number, most?: number) =>
      most === undefined
        ? plural(uses, 'person used it', 'people used it')
        : `used ${number(uses)} of ${plural(most, 'time', 'times')}`,
    until: (date: string) => `until ${date}`,
    over: 'it is over',
    approval: 'with approval',
    byLink: 'Create a link',
    byEmail: 'Invite by email',
    form: 'New invitation',
    email: 'Email',
    emailHint: 'They get the link, which is for one person and 14 days.',
    emailMissing: 'Write an email address.',
    uses: 'How many people may use it',
    usesHint: 'Blank for any number.',
    usesWrong: 'Write a number between 1 and 1,000,000.',
    expiry: 'Valid',
    expiries: { '1': 'A day', '7': 'A week', '30': 'A month', '': 'Until I revoke it' },
    approve: 'Approve each person',
    approveHint: 'Whoever opens the link asks to join, and joins only once you accept.',
    create: 'Create invitation',
    made: 'The link of the invitation',
    madeHint: 'Copy it now: it is not shown again. Whoever has it can join.',
    madeEmailHint: 'It was sent by email, and you can also pass it on. It is not shown again.',
    done: 'I have copied it',
    revoke: 'Revoke',
    revokeOf: (name: string) => `Revoke the invitation ${name}`,
    revokeQuestion: 'Revoke this invitation?',
    revokeText: 'Nobody joins by it any more. Those who have joined stay.',
    revoked: 'The invitation was revoked.',
  },
} as const satisfies Translation<typeof original>
