import type { asking as original } from '../asking'
import type { Translation } from '../translation'

/** The texts with which a person asks the operators to publish. */
export const asking = {
  title: 'Ask to publish here',
  text: 'The operator of this server looks at each request and answers. Then you create your channels.',
  form: 'Your request',
  name: 'Who publishes',
  nameHint: 'The school, the company, the group, or your name.',
  nameMissing: 'Enter a name.',
  reason: 'What for?',
  reasonHint: 'For example “Notices for the parents of class 7B”.',
  send: 'Send the request',
  sent: 'Request sent.',
  pending: 'Your request is being looked at',
  pendingText: (name: string) =>
    `You asked to publish as “${name}”. The answer appears here and, if your account has an address, comes by email.`,
  withdraw: 'Withdraw the request',
  withdrawn: 'Request withdrawn.',
  refused: 'The request was not approved',
  refusedText: (name: string) => `You asked to publish as “${name}”.`,
  answer: (text: string) => `The answer: “${text}”`,
  again: 'Ask again',
} as const satisfies Translation<typeof original>
