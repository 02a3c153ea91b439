import * as z from 'zod/mini'
import { pt } from 'zod/locales'

// no generated code: the Content-Security-Policy forbids eval, which zod would otherwise try
z.config({ ...pt(), jitless: true })

const text = z.string().check(z.minLength(1))
const address = z.url({ protocol: /^https?$/ })
const localApi = 'http://localhost:8080/api/v1'

/** What a browser may know, by the names of the server's variables; the server serves it as /config.js. */
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
  /** Each variable with its problem. */
  readonly problems: readonly { name: string; problem: string }[]

  constructor(problems: InvalidEnv['problems']) {
    super('Invalid env provided')
    this.problems = problems
  }
}

/** Throws {@link InvalidEnv}, with every fault at once. */
export function readEnv(source: unknown): Env {
  const result = z.safeParse(Env, source ?? {})
  if (result.success) return result.data
  throw new InvalidEnv(result.error.issues.map(({ path, message }) => ({ name: path.join('.'), problem: message })))
}

let checked: Env | undefined

/** The settings. `main.tsx` reads them first, so that a fault shows before anything else runs. */
export function env(): Env {
  return (checked ??= readEnv((globalThis as { SININHO_ENV?: unknown }).SININHO_ENV))
}
