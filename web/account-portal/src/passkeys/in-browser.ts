import type { CreationOptions, PasskeyAnswer, PasskeyRegistration, RequestOptions } from '@sightline/contract/passkeys'

/**
 * Why the browser returned no passkey: it doesn't support them, it already has one of this user, or the user refused.
 */
export type BrowserError = 'exists' | 'refused'

/** Whether this browser supports passkeys at this address. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const toText = (bytes: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

type Named = NonNullable<RequestOptions['allowCredentials']>[number]

const toDescriptor = ({ id, type, transports }: Named): PublicKeyCredentialDescriptor => ({
  id: toBytes(id),
  type,
  // Browsers skip values that they don't know.
  ...(transports === undefined ? {} : { transports: transports as AuthenticatorTransport[] }),
})

/** Creates a passkey in the browser. */
export async function makePasskey(options: CreationOptions): Promise<PasskeyRegistration | BrowserError> {
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...options,
    challenge: toBytes(options.challenge),
    user: { ...options.user, id: toBytes(options.user.id) },
    excludeCredentials: options.excludeCredentials.map(toDescriptor),
  }
  const made = await asked(() => navigator.credentials.create({ publicKey }))
  if (typeof made === 'string') return made
  const { response } = made
  if (!(response instanceof AuthenticatorAttestationResponse)) return 'refused'
  const { clientDataJSON, attestationObject } = response
  return {
    id: made.id,
    type: 'public-key',
    response: {
      clientDataJSON: toText(clientDataJSON),
      attestationObject: toText(attestationObject),
      transports: response.getTransports(),
    },
  }
}

/** Signs with a passkey of the browser. */
export async function answerByPasskey(options: RequestOptions): Promise<PasskeyAnswer | BrowserError> {
  const { allowCredentials = [], ...rest } = options
  const publicKey: PublicKeyCredentialRequestOptions = {
    ...rest,
    challenge: toBytes(options.challenge),
    allowCredentials: allowCredentials.map(toDescriptor),
  }
  const given = await asked(() => navigator.credentials.get({ publicKey }))
  if (typeof given === 'string') return given
  const { response } = given
  if (!(response instanceof AuthenticatorAssertionResponse)) return 'refused'
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return {
    id: given.id,
    type: 'public-key',
    response: {
      clientDataJSON: toText(clientDataJSON),
      authenticatorData: toText(authenticatorData),
      signature: toText(signature),
      userHandle: userHandle === null ? null : toText(userHandle),
    },
  }
}

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential | BrowserError> {
  try {
    const credential = await ask()
    return credential instanceof PublicKeyCredential ? credential : 'refused'
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    // WebAuthn Level 3, §5.1.3: a passkey of `excludeCredentials` exists. All other errors mean "refused".
    return error.name === 'InvalidStateError' ? 'exists' : 'refused'
  }
}
