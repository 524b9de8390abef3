import type { CreationOptions, PasskeyAnswer, PasskeyRegistration, RequestOptions } from '@sightline/contract/passkeys'
import { MS_PER_MINUTE } from '@sightline/platform/clock'
import type { RelyingParty } from './relying-party.ts'

/** How long a challenge may be answered, and how long browsers wait for the user. */
export const CEREMONY_MS = 5 * MS_PER_MINUTE

/** EdDSA, ES256 and RS256 (COSE algorithms): every authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257]

/** The stored data of a passkey that verifies its assertions. */
export interface Verifier {
  readonly credentialId: Buffer
  readonly rpId: string
  readonly userHandle: Buffer
  readonly publicKey: Buffer
  readonly signCount: number
  readonly isBackupEligible: boolean
}

/** A new passkey from a browser. */
export interface MadePasskey extends Omit<Verifier, 'rpId' | 'userHandle'> {
  readonly transports: readonly string[]
  /** The make of the authenticator, as a UUID. */
  readonly aaguid: string
  readonly isBackedUp: boolean
}

/** A discoverable passkey with user verification, which signs in on its own and is useless to a thief of the device. */
export const buildCreationOptions = (given: {
  readonly rp: RelyingParty
  readonly challenge: Buffer
  readonly user: { readonly handle: Buffer; readonly email: string; readonly name: string }
  readonly existing: readonly CredentialRef[]
}): CreationOptions => ({
  rp: { id: given.rp.id, name: given.rp.name },
  user: {
    id: given.user.handle.toString('base64url'),
    name: given.user.email,
    displayName: given.user.name,
  },
  challenge: given.challenge.toString('base64url'),
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  timeout: CEREMONY_MS,
  excludeCredentials: given.existing.map(toDescriptor),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  // The authenticator's make doesn't matter here, and requesting it adds a consent prompt.
  attestation: 'none',
})

export interface CredentialRef {
  readonly credentialId: Buffer
  readonly transports: readonly string[]
}

const toDescriptor = ({ credentialId, transports }: CredentialRef) => ({
  id: credentialId.toString('base64url'),
  type: 'public-key' as const,
  transports: [...transports],
})

export const buildRequestOptions = (given: {
  readonly rp: RelyingParty
  readonly challenge: Buffer
  readonly userVerification: RequestOptions['userVerification']
  /** Set if the user is already known. */
  readonly among?: readonly CredentialRef[]
}): RequestOptions => ({
  challenge: given.challenge.toString('base64url'),
  rpId: given.rp.id,
  timeout: CEREMONY_MS,
  userVerification: given.userVerification,
  ...(given.among === undefined ? {} : { allowCredentials: given.among.map(toDescriptor) }),
})

/** Some 250 files, which a start does without. */
const webAuthn = () => import('@simplewebauthn/server')

/** The created passkey, or undefined if it doesn't match the request (WebAuthn Level 3, §7.1). */
export async function verifyCreated(
  created: PasskeyRegistration,
  asked: { readonly rp: RelyingParty; readonly challenge: Buffer },
): Promise<MadePasskey | undefined> {
  const { rp, challenge } = asked
  if (isFromFrame(created.response.clientDataJSON)) return undefined
  const { response, type, id } = created
  const { verifyRegistrationResponse } = await webAuthn()
  const { transports = [] } = response
  const verified = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type,
      clientExtensionResults: {},
      response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject },
    },
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined)
  if (verified?.verified !== true) return undefined
  const { credential, aaguid, credentialDeviceType, credentialBackedUp } = verified.registrationInfo
  // The signed data names the credential; the fields beside it are unsigned.
  if (credential.id !== id) return undefined
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    signCount: credential.counter,
    transports,
    aaguid,
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
  }
}

export interface VerifiedAnswer {
  readonly signCount: number
  readonly isBackedUp: boolean
}

/** The assertion, or undefined if it doesn't match the request (WebAuthn Level 3, §7.2). */
export async function verifyAnswer(
  answer: PasskeyAnswer,
  asked: {
    readonly rp: RelyingParty
    readonly challenge: Buffer
    readonly passkey: Verifier
    readonly userVerification: RequestOptions['userVerification']
  },
): Promise<VerifiedAnswer | undefined> {
  const { rp, challenge, passkey } = asked
  const { id, type, response } = answer
  if (passkey.rpId !== rp.id || isFromFrame(response.clientDataJSON) || !namesOwner(answer, passkey)) return undefined
  const { verifyAuthenticationResponse } = await webAuthn()
  const verified = await verifyAuthenticationResponse({
    response: {
      id,
      rawId: id,
      type,
      clientExtensionResults: {},
      response: {
        clientDataJSON: response.clientDataJSON,
        authenticatorData: response.authenticatorData,
        signature: response.signature,
      },
    },
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    requireUserVerification: asked.userVerification === 'required',
    credential: {
      id: passkey.credentialId.toString('base64url'),
      publicKey: new Uint8Array(passkey.publicKey),
      // Compared in the store, after the signature is verified: before that the counter could be forged.
      counter: 0,
    },
  }).catch(() => undefined)
  if (verified?.verified !== true) return undefined
  const { newCounter, credentialDeviceType, credentialBackedUp } = verified.authenticationInfo
  if ((credentialDeviceType === 'multiDevice') !== passkey.isBackupEligible) return undefined
  return { signCount: newCounter, isBackedUp: credentialBackedUp }
}

/** A passkey picked from a list must return its user (§7.2 step 6); one requested by id may. */
const namesOwner = ({ response: { userHandle } }: PasskeyAnswer, { userHandle: stored }: Verifier): boolean =>
  userHandle === undefined || userHandle === null || Buffer.from(userHandle, 'base64url').equals(stored)

/** Our page is framed by another site, so users can't see who is asking. Unreadable text is rejected later. */
function isFromFrame(clientDataJSON: string): boolean {
  try {
    const data: { crossOrigin?: unknown } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    return data.crossOrigin === true
  } catch {
    return true
  }
}

/**
 * Whether the counter increased since the last use. If not, a copy of the passkey may exist (WebAuthn Level 3, §6.1.1).
 * Synced passkeys don't count and always report 0.
 */
export const isCounterValid = (seen: number, now: number): boolean => (seen === 0 && now === 0) || now > seen
