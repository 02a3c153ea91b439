import * as z from 'zod/mini'
import { pt } from './i18n/pt'

// jitless: zod must not generate code, because the Content-Security-Policy forbids eval
z.config({
  localeError: ({ code, input }) =>
    pt.env[code === 'too_small' ? 'empty' : input === undefined ? 'missing' : 'invalid'],
  jitless: true,
})

const text = z.string().check(z.minLength(1))
const address = z.url({ protocol: /^https?$/ })
const localApi = 'http://localhost:8080/api/v1'

const modes = {
  PUSH: z._default(text, 'fcm'),
  ANALYTICS: z._default(z.enum(['posthog', 'off']), 'posthog'),
}
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
const common = {
  API_BASE_URL: z._default(address, localApi),
  WAITLIST_API_BASE_URL: z._default(address, localApi),
  SUPPORT_URL: z.optional(z.url({ protocol: /^(https?|mailto)$/ })),
  WAITLIST: z._default(z.enum(['open', 'closed']), 'closed'),
  SIGN_UP: z._default(z.enum(['open', 'invitation']), 'open'),
}

/** Returns the schema of the settings that the chosen modes need. */
function schemaOf(source: unknown) {
  const { PUSH = 'fcm', ANALYTICS } = source as Record<string, unknown>
  const uses = (transport: string) => String(PUSH).split(',').includes(transport)
  return z.object({
    ...modes,
    DEMO_WEBHOOK_URL: address,
    ...(uses('fcm') && firebase),
    ...(uses('webpush') && webPush),
    ...(ANALYTICS !== 'off' && posthog),
    ...common,
  })
}

type Settings<Shape extends z.core.$ZodShape> = z.infer<z.ZodMiniObject<Shape>>

/** The settings that browsers may see, named like the server's variables. The server serves them as /config.js. */
export type Env = Settings<typeof modes & typeof common> & { DEMO_WEBHOOK_URL: string } & Partial<
    Settings<typeof firebase & typeof webPush & typeof posthog>
  >

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
  const result = z.safeParse(schemaOf(source ?? {}), source ?? {})
  if (result.success) return result.data as unknown as Env
  throw new InvalidEnv(result.error.issues.map(({ path, message }) => ({ name: path.join('.'), problem: message })))
}

let checked: Env | undefined

/** Returns the settings. `main.tsx` calls it first, so that a fault shows before anything else runs. */
export function env(): Env {
  return (checked ??= readEnv((globalThis as { SININHO_ENV?: unknown }).SININHO_ENV))
}
