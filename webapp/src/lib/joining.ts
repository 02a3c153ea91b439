const key = 'sininho.join'
/** Milliseconds for which a sign-in that is under way is remembered. */
const kept = 60 * 60_000

/** Keeps the secret of an invitation to a channel over signing in, which may end in another tab. */
export function keepInvitation(secret: string) {
  localStorage.setItem(key, JSON.stringify({ secret, at: Date.now() }))
}

/** Returns the secret that was kept within the last hour. */
export function keptInvitation(): string | undefined {
  try {
    const { secret, at } = JSON.parse(localStorage.getItem(key) ?? '') as { secret: string; at: number }
    return Date.now() - at < kept ? secret : undefined
  } catch {
    return undefined
  }
}

export const forgetInvitation = () => localStorage.removeItem(key)
