type Options = Record<string, unknown>

/** What the authenticator has answered, in JSON. */
export type PasskeyAnswer = Record<string, unknown>

/** Whether this browser can use passkeys: all have been able to since 2025. */
export const passkeysWork = () =>
  typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Has the person choose one of their passkeys, and returns the answer; `null` if they choose none. */
export const answerChallenge = (options: Options) =>
  asked(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        options as unknown as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  )

/** Has the person make a passkey; `null` if they do not. Fails with `PasskeyExists` if the device has one. */
export const makePasskey = (options: Options) =>
  asked(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        options as unknown as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  )

/** The authenticator holds a passkey of the account already. */
export class PasskeyExists extends Error {}

async function asked(ask: () => Promise<Credential | null>): Promise<PasskeyAnswer | null> {
  try {
    const credential = await ask()
    return credential && { ...(credential as PublicKeyCredential).toJSON() }
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    // browsers do not tell a refusal from an authenticator without a key, so that pages learn nothing
    if (name === 'NotAllowedError' || name === 'AbortError') return null
    if (name === 'InvalidStateError') throw new PasskeyExists()
    throw error
  }
}
