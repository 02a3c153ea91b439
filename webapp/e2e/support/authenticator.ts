import type { CDPSession, Page } from '@playwright/test'

/** What keeps the passkeys of a page's person: of Chromium's virtual authenticators, one that verifies them. */
export class Authenticator {
  readonly #cdp: CDPSession
  readonly #id: string

  private constructor(cdp: CDPSession, id: string) {
    this.#cdp = cdp
    this.#id = id
  }

  static async of(page: Page): Promise<Authenticator> {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    return new Authenticator(cdp, await added(cdp))
  }

  /** How many passkeys it has. */
  async count(): Promise<number> {
    return (await this.#cdp.send('WebAuthn.getCredentials', { authenticatorId: this.#id })).credentials.length
  }

  /** Whether the person gives their PIN or finger. */
  async verify(isUserVerified: boolean) {
    await this.#cdp.send('WebAuthn.setUserVerified', { authenticatorId: this.#id, isUserVerified })
  }

  /** Puts another one in its place, without passkeys. */
  async replace(): Promise<Authenticator> {
    await this.#cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: this.#id })
    return new Authenticator(this.#cdp, await added(this.#cdp))
  }
}

async function added(cdp: CDPSession): Promise<string> {
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return authenticatorId
}
