// An authenticator in software, and people who have one, for tests: real keys, real signatures (WebAuthn Level 3, §6).
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign, type webcrypto } from 'node:crypto'
import type {
  CreationOptions,
  Passkey,
  PasskeyAnswer,
  PasskeyProof,
  PasskeyRegistration,
  Passkeys,
  RequestOptions,
} from '@sightline/contract/passkeys'
import type { AuthUnderTest } from './auth-testing.ts'
import type { Browser, SignInTestPage } from './browser-testing.ts'
import { call } from './staff-testing.ts'

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()

type Cbor = number | string | Buffer | ReadonlyMap<Cbor, Cbor>

/** As much of RFC 8949 as keys and attestation objects need. */
function cbor(value: Cbor): Buffer {
  const head = (major: number, size: number): Buffer => {
    if (size < 24) return Buffer.from([(major << 5) | size])
    if (size < 0x1_00) return Buffer.from([(major << 5) | 24, size])
    return Buffer.from([(major << 5) | 25, size >> 8, size & 0xff])
  }
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...(value as ReadonlyMap<Cbor, Cbor>)].flatMap(([key, one]) => [cbor(key), cbor(one)])
  return Buffer.concat([head(5, entries.length / 2), ...entries])
}

export type Algorithm = 'EdDSA' | 'ES256' | 'RS256'

/** COSE number, keys, and what signs. */
const algorithms = {
  EdDSA: {
    alg: -8,
    pair: () => generateKeyPairSync('ed25519'),
    digest: null,
    cose: ({ x = '' }: webcrypto.JsonWebKey) =>
      [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, fromText(x)],
      ] as const,
  },
  ES256: {
    alg: -7,
    pair: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    digest: 'sha256',
    cose: ({ x = '', y = '' }: webcrypto.JsonWebKey) =>
      [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, fromText(x)],
        [-3, fromText(y)],
      ] as const,
  },
  RS256: {
    alg: -257,
    pair: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    digest: 'sha256',
    cose: ({ n = '', e = '' }: webcrypto.JsonWebKey) =>
      [
        [1, 3],
        [3, -257],
        [-1, fromText(n)],
        [-2, fromText(e)],
      ] as const,
  },
}

const fromText = (text: string): Buffer => Buffer.from(text, 'base64url')
const FLAGS = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, hasKey: 0x40 }

interface Held {
  readonly id: Buffer
  readonly rpId: string
  readonly userHandle: string
  readonly algorithm: Algorithm
  readonly privateKey: KeyObject
  count: number
}

/** How a test's authenticator differs from a correct one in the right browser. */
export interface Oddities {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly crossOrigin?: boolean
  readonly isVerified?: boolean
  readonly isPresent?: boolean
  readonly isBackupEligible?: boolean
  /** In place of the next one. */
  readonly count?: number
  /** Signs with a key that is not that one. */
  readonly foreignKey?: boolean
  /** `null` omits it. */
  readonly userHandle?: string | null
  readonly algorithm?: Algorithm
}

/** An authenticator with passkeys for several hosts, with or without a counter. */
export class Authenticator {
  readonly #origin: string
  readonly #counts: boolean
  readonly held: Held[] = []

  constructor(origin: string, { counts = true }: { counts?: boolean } = {}) {
    this.#origin = origin
    this.#counts = counts
  }

  #clientData(type: string, challenge: string, odd: Oddities): Buffer {
    const { crossOrigin = false, origin = this.#origin } = odd
    const data = { type: odd.type ?? type, challenge: odd.challenge ?? challenge, origin, crossOrigin }
    return Buffer.from(JSON.stringify(data))
  }

  #authData(rpId: string, count: number, odd: Oddities & { readonly credential?: Buffer }): Buffer {
    const { isVerified = true, isPresent = true, isBackupEligible = !this.#counts, credential } = odd
    const flags =
      (isPresent ? FLAGS.present : 0) |
      (isVerified ? FLAGS.verified : 0) |
      (isBackupEligible ? FLAGS.backupEligible | FLAGS.backedUp : 0) |
      (credential === undefined ? 0 : FLAGS.hasKey)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    const head = [sha256(odd.rpId ?? rpId), Buffer.from([flags]), counter]
    return Buffer.concat(credential === undefined ? head : [...head, credential])
  }

  create(options: CreationOptions, odd: Oddities = {}): PasskeyRegistration {
    const { algorithm = 'ES256' } = odd
    const { pair, cose } = algorithms[algorithm]
    const { privateKey, publicKey } = pair()
    const id = randomBytes(32)
    const { rp, user } = options
    this.held.push({ id, rpId: rp.id, userHandle: user.id, algorithm, privateKey, count: 0 })
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const key = cbor(new Map<Cbor, Cbor>(cose(publicKey.export({ format: 'jwk' }))))
    const credential = Buffer.concat([Buffer.alloc(16), length, id, key])
    const authData = this.#authData(rp.id, 0, { ...odd, credential })
    const attestation = new Map<Cbor, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return {
      id: id.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, odd).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  get(options: RequestOptions, odd: Oddities = {}): PasskeyAnswer {
    const allowed = options.allowCredentials?.map(({ id }) => id)
    const held = this.held.find(
      ({ id, rpId }) => rpId === options.rpId && (allowed === undefined || allowed.includes(id.toString('base64url'))),
    )
    if (held === undefined) throw new Error('there is no such passkey')
    return this.answer(held, options, odd)
  }

  answer(held: Held, options: RequestOptions, odd: Oddities = {}): PasskeyAnswer {
    if (this.#counts) held.count += 1
    const clientData = this.#clientData('webauthn.get', options.challenge, odd)
    const authData = this.#authData(held.rpId, odd.count ?? held.count, odd)
    const { digest, pair } = algorithms[held.algorithm]
    const key = odd.foreignKey === true ? pair().privateKey : held.privateKey
    const signature = sign(digest, Buffer.concat([authData, sha256(clientData)]), key)
    return {
      id: held.id.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: odd.userHandle === undefined ? held.userHandle : odd.userHandle,
      },
    }
  }
}

export const ownPasskeys = async (under: Place, token: string): Promise<Passkeys> => {
  const { status, body } = await call(under, token, 'GET users/self/passkeys')
  if (status !== 200) throw new Error(`GET users/self/passkeys answered ${status} ${JSON.stringify(body)}`)
  return body
}

/** The host that is called at; a test may have several. */
type Place = Pick<AuthUnderTest, 'origin'>

export async function beginPasskey(under: Place, token: string, proof: PasskeyProof): Promise<CreationOptions> {
  const { status, body } = await call(under, token, 'POST users/self/passkeys/registration', { proof })
  if (status !== 200) throw new Error(`beginning a passkey answered ${status} ${JSON.stringify(body)}`)
  return body
}

/** Adds one, after that proof. */
export async function addPasskey(
  under: Place,
  token: string,
  given: {
    readonly key: Authenticator
    readonly proof: PasskeyProof
    readonly name?: string
    readonly algorithm?: Algorithm
  },
): Promise<Passkey> {
  const { key, proof, name = 'Red laptop', algorithm = 'ES256' } = given
  const credential = key.create(await beginPasskey(under, token, proof), { algorithm })
  const { status, body } = await call(under, token, 'POST users/self/passkeys', { name, credential })
  if (status !== 201) throw new Error(`adding a passkey answered ${status} ${JSON.stringify(body)}`)
  return body
}

export const setSecondFactor = (under: Place, token: string, asSecondFactor: boolean, proof: PasskeyProof) =>
  call(under, token, 'PATCH users/self/passkeys', { asSecondFactor, proof })

/** The challenge as the page's script gets it. */
export async function fetchRequestOptions(browser: Browser, path: string, step = ''): Promise<RequestOptions> {
  const answer = await browser.post(`${path}/passkey${step}`, {})
  if (answer.status !== 200) throw new Error(`asking for a passkey answered ${answer.status}`)
  return JSON.parse(answer.text)
}

export const postPasskey = (browser: Browser, address: string, answer: PasskeyAnswer): Promise<SignInTestPage> =>
  browser.post(address, { passkey: JSON.stringify(answer) })
