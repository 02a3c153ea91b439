const place = 'sininho.referral'

/** Reports whether a `?ref=` value has the form of a referral code. */
export const isReferral = (code: unknown): code is string => typeof code === 'string' && /^[a-z0-9]{1,64}$/.test(code)

/** Keeps the referral code in this tab while the visitor looks around. */
export function keepReferral(code: string) {
  try {
    sessionStorage.setItem(place, code)
  } catch {
    // without storage the referral is lost
  }
}

export function keptReferral(): string | undefined {
  try {
    return sessionStorage.getItem(place) ?? undefined
  } catch {
    return undefined
  }
}
