import { words } from './i18n/words'

const localApi = 'http://localhost:8080/api/v1'

/** Returns the problem of a value, or undefined if it has none. */
type Rule = (value: string) => string | undefined

const text: Rule = () => undefined
const oneOf =
  (...values: string[]): Rule =>
  (value) =>
    values.includes(value) ? undefined : words.env.invalid
const url =
  (...schemes: string[]): Rule =>
  (value) =>
    URL.canParse(value) && schemes.includes(new URL(value).protocol) ? undefined : words.env.invalid
const address = url('http:', 'https:')
const support: Rule = (value) => (/^mailto:[^@\s]+@[^@\s]+$/i.test(value) ? undefined : address(value))

const firebase = {
  FIREBASE_API_KEY: text,
  FIREBASE_AUTH_DOMAIN: text,
  FIREBASE_PROJECT_ID: text,
  FIREBASE_MESSAGING_SENDER_ID: text,
  FIREBASE_APP_ID: text,
  FIREBASE_STORAGE_BUCKET: text,
  FIREBASE_VAPID_PUBLIC_KEY: text,
}
const webPush = { WEB_PUSH_PUBLIC_KEY: text }
const posthog = { POSTHOG_API_KEY: text, POSTHOG_HOST: address }
const modes = {
  PUSH: text,
  ANALYTICS: oneOf('posthog', 'off'),
  DEMO_WEBHOOK_URL: address,
}
const common = {
  API_BASE_URL: address,
  WAITLIST_API_BASE_URL: address,
  WAITLIST: oneOf('open', 'closed'),
  SIGN_UP: oneOf('open', 'invitation'),
  PUBLISHERS: oneOf('open', 'invitation', 'request'),
}
/** The address of a page, or the path of this app's own. */
const policy =
  (page: string): Rule =>
  (value) =>
    value === page ? undefined : address(value)
const optional = { SUPPORT_URL: support, PRIVACY: policy('/privacy'), TERMS: policy('/terms') }

const defaults = {
  PUSH: 'fcm',
  ANALYTICS: 'posthog',
  API_BASE_URL: localApi,
  WAITLIST_API_BASE_URL: localApi,
  WAITLIST: 'closed',
  SIGN_UP: 'open',
  PUBLISHERS: 'open',
}

/** Returns the rules of the settings that the chosen modes need. */
function rulesOf({ PUSH, ANALYTICS, ...rest }: Record<string, unknown>): Record<string, Rule> {
  const uses = (transport: string) => String(PUSH).split(',').includes(transport)
  return {
    ...modes,
    ...(uses('fcm') && firebase),
    ...(uses('webpush') && webPush),
    ...(ANALYTICS !== 'off' && posthog),
    ...common,
    ...Object.fromEntries(Object.entries(optional).filter(([name]) => rest[name] !== undefined)),
  }
}

type Settings<Rules> = { [Name in keyof Rules]: string }

/** The settings that browsers may see, named like the server's variables. The server serves them as /config.js. */
export type Env = Settings<typeof modes & typeof common> &
  Partial<Settings<typeof firebase & typeof webPush & typeof posthog & typeof optional>>

export class InvalidEnv extends Error {
  override readonly name = 'InvalidEnv'
  /** Each faulty variable with its problem. */
  readonly problems: readonly { name: string; problem: string }[]

  constructor(problems: InvalidEnv['problems']) {
    super('Invalid env provided')
    this.problems = problems
  }
}

/** Validates the settings. Throws {@link InvalidEnv} with all faults at once. */
export function readEnv(source: unknown): Env {
  const given: Record<string, unknown> = { ...defaults, ...(source as object | undefined) }
  const rules = Object.entries(rulesOf(given))
  const problems = rules.flatMap(([name, rule]) => {
    const problem = problemOf(given[name], rule)
    return problem ? [{ name, problem }] : []
  })
  if (problems.length > 0) throw new InvalidEnv(problems)
  return Object.fromEntries(rules.map(([name]) => [name, given[name]])) as Env
}

function problemOf(value: unknown, rule: Rule): string | undefined {
  if (value === undefined) return words.env.missing
  if (value === '') return words.env.empty
  return typeof value === 'string' ? rule(value) : words.env.invalid
}

/** Returns the settings as the server gave them. */
export const givenEnv = () => (globalThis as { SININHO_ENV?: unknown }).SININHO_ENV

/** Whether people ask for an invitation here, because they cannot sign up without one. */
export const isWaitlisted = () => env().SIGN_UP === 'invitation' && env().WAITLIST === 'open'

let checked: Env | undefined

/** Returns the settings. `main.tsx` calls it first, so that a fault shows before anything else runs. */
export function env(): Env {
  return (checked ??= readEnv(givenEnv()))
}
