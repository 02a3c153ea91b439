/** Texts about an address that cannot be one. */
type Texts = { emailMissing: string; emailWrong: string }

/** Says what is wrong with an email address, as far as that can be known before it is sent. */
export function emailFault(email: string, { emailMissing, emailWrong }: Texts): string | undefined {
  if (!email) return emailMissing
  return /^[^@\s]+@[^@\s]+\.[^@\s.]+$/.test(email) ? undefined : emailWrong
}
