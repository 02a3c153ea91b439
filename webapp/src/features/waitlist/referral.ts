const place = 'sininho.referral'

/** What may stand in `?ref=`. */
export const isReferral = (code: unknown): code is string => typeof code === 'string' && /^[a-z0-9]{1,64}$/.test(code)

/** Remembers who sent the visitor, in this tab, while they look around. */
export function keepReferral(code: string) {
  try {
    sessionStorage.setItem(place, code)
  } catch {
    // where nothing may be kept, nobody moves up
  }
}

export function keptReferral(): string | undefined {
  try {
    return sessionStorage.getItem(place) ?? undefined
  } catch {
    return undefined
  }
}
