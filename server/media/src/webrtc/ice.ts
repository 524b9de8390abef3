import { randomBytes } from 'node:crypto'
import { type Endpoint, type StunMessage, stunRequest, stunSuccess } from './stun.ts'

export interface IceCredentials {
  readonly ufrag: string
  readonly password: string
}

export interface IceOptions {
  readonly local: IceCredentials
  readonly remote: IceCredentials
  readonly send: (datagram: Uint8Array, to: Endpoint) => void
}

/** Our own checks wait so long for each other: a viewer that sends many must not make us send more. */
const CHECK_EVERY_MS = 100
/** Checks whose answers still count. */
const MAX_CHECKS = 16
const NAME_BYTES = 6
const PASSWORD_BYTES = 24

/** New for each viewer: `ufrag` finds it, `password` lets nobody else in. */
export const newIceCredentials = (): IceCredentials => ({
  ufrag: randomBytes(NAME_BYTES).toString('base64').replaceAll('=', ''),
  password: randomBytes(PASSWORD_BYTES).toString('base64'),
})

const isSame = (one: Endpoint | undefined, other: Endpoint): boolean =>
  one?.address === other.address && one.port === other.port

/**
 * The address of a viewer. It sends checks to ours (ICE, RFC 8445); ours go only to addresses that a check of its own came from. The handshake
 * and media go to an address once it has answered there (RFC 7675): a viewer can't aim them at someone else.
 */
export class IceAddress {
  readonly #options: IceOptions
  readonly #tieBreaker = randomBytes(8)
  readonly #checks = new Map<string, Endpoint>()
  #checkedAt = Number.NEGATIVE_INFINITY
  /** The newest address that a signed check came from. */
  #heard: Endpoint | undefined
  #confirmed: Endpoint | undefined
  #confirmedAt = performance.now()

  constructor(options: IceOptions) {
    this.#options = options
  }

  /** Where everything goes. */
  get confirmed(): Endpoint | undefined {
    return this.#confirmed
  }

  /** Since it answered last. */
  get silentMs(): number {
    return performance.now() - this.#confirmedAt
  }

  isKnown(from: Endpoint): boolean {
    return isSame(this.#confirmed, from) || isSame(this.#heard, from)
  }

  take(message: StunMessage, from: Endpoint): void {
    if (message.kind === 'success') this.#confirm(message, from)
    else this.#answer(message, from)
  }

  #answer(message: StunMessage, from: Endpoint): void {
    const { local, remote } = this.#options
    if (message.username !== `${local.ufrag}:${remote.ufrag}` || !message.isSignedWith(local.password)) return
    this.#options.send(stunSuccess(message, from, local.password), from)
    const isNew = !isSame(this.#confirmed, from)
    if (this.#confirmed === undefined || (isNew && message.isNominating)) {
      this.#heard = from
      this.#check(from)
    }
  }

  /** Asks whether the viewer is still there. */
  ask(): void {
    if (this.#confirmed === undefined) return
    // Checks that somebody repeats from elsewhere don't come in between.
    this.#checkedAt = Number.NEGATIVE_INFINITY
    this.#check(this.#confirmed)
  }

  #check(to: Endpoint): void {
    const now = performance.now()
    if (now - this.#checkedAt < CHECK_EVERY_MS) return
    this.#checkedAt = now
    const { local, remote, send } = this.#options
    const transactionId = randomBytes(12)
    this.#checks.set(transactionId.toString('hex'), to)
    const [oldest] = this.#checks.keys()
    if (this.#checks.size > MAX_CHECKS && oldest !== undefined) this.#checks.delete(oldest)
    const username = `${remote.ufrag}:${local.ufrag}`
    send(stunRequest({ transactionId, username, password: remote.password, tieBreaker: this.#tieBreaker }), to)
  }

  #confirm(message: StunMessage, from: Endpoint): void {
    const id = message.transactionId.toString('hex')
    if (!isSame(this.#checks.get(id), from) || !message.isSignedWith(this.#options.remote.password)) return
    this.#checks.delete(id)
    // A late answer from where it was before doesn't lead back there.
    if (!isSame(this.#confirmed, from)) this.#checks.clear()
    this.#confirmed = from
    this.#confirmedAt = performance.now()
  }
}
