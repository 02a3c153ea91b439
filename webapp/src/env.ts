import * as z from 'zod/mini'
import { pt } from 'zod/locales'

// jitless: zod must not generate code, because the Content-Security-Policy forbids eval
z.config({ ...pt(), jitless: true })

const text = z.string().check(z.minLength(1))
const address = z.url({ protocol: /^https?$/ })
const localApi = 'http://localhost:8080/api/v1'

/** The settings that browsers may see, named like the server's variables. The server serves them as /config.js. */
const Env = z.object({
  DEMO_WEBHOOK_URL: address,
  FIREBASE_API_KEY: text,
  FIREBASE_AUTH_DOMAIN: text,
  FIREBASE_PROJECT_ID: text,
  FIREBASE_MESSAGING_SENDER_ID: text,
  FIREBASE_APP_ID: text,
  FIREBASE_STORAGE_BUCKET: text,
  FIREBASE_VAPID_PUBLIC_KEY: text,
  POSTHOG_API_KEY: text,
  POSTHOG_HOST: address,
  API_BASE_URL: z._default(address, localApi),
  WAITLIST_API_BASE_URL: z._default(address, localApi),
  SUPPORT_URL: z.optional(z.url({ protocol: /^(https?|mailto)$/ })),
  WAITLIST: z._default(z.enum(['open', 'closed']), 'closed'),
  SIGN_UP: z._default(z.enum(['open', 'invitation']), 'open'),
})
export type Env = z.infer<typeof Env>

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
  const result = z.safeParse(Env, source ?? {})
  if (result.success) return result.data
  throw new InvalidEnv(result.error.issues.map(({ path, message }) => ({ name: path.join('.'), problem: message })))
}

let checked: Env | undefined

/** Returns the settings. `main.tsx` calls it first, so that a fault shows before anything else runs. */
export function env(): Env {
  return (checked ??= readEnv((globalThis as { SININHO_ENV?: unknown }).SININHO_ENV))
}
