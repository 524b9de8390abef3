import { createHash, randomBytes, randomInt } from 'node:crypto'
import { createRateLimiter } from '@sightline/platform/limits'
import type { Hub } from '../hub/index.ts'
import { type ChosenTracks, type LocalTransport, writeAnswer } from './answer.ts'
import { type DtlsIdentity, DtlsServer } from './dtls-server.ts'
import { IceAddress } from './ice.ts'
import type { Offer, OfferedMedia } from './offer.ts'
import { readFeedback, type SenderFigures, senderReport } from './rtcp.ts'
import { MediaSender } from './send-media.ts'
import { SentPackets } from './sent-packets.ts'
import { SrtcpReceiver, type SrtpKeys, SrtpSender } from './srtp.ts'
import type { Endpoint, StunMessage } from './stun.ts'

export interface ViewerOptions {
  readonly hub: Hub
  readonly offer: Offer
  readonly chosen: ChosenTracks
  /** Why there is no sound, if the viewer asked for it. */
  readonly soundNote: string | undefined
  readonly identity: DtlsIdentity
  readonly local: LocalTransport
  readonly send: (datagram: Uint8Array, to: Endpoint) => void
  /** Whether too much waits for the network. */
  readonly isCongested: () => boolean
  readonly onBug: (error: unknown) => void
  readonly limits?: Partial<ViewerLimits>
}

export interface ViewerLimits {
  /** From the answer until media can be sent. */
  readonly connectsWithinMs: number
  /** A viewer that doesn't answer for so long is gone. */
  readonly silentMs: number
}

/** A handshake often begins before the answer to our check is there. */
const MAX_EARLY = 4
/** Of each kind; browsers send a tenth of it when much is lost. */
const DATAGRAMS = { perSecond: 500, burst: 500 }

const LIMITS: ViewerLimits = { connectsWithinMs: 15_000, silentMs: 8000 }
const ASK_EVERY_MS = 2000

/** A viewer that was answered, until it leaves or is sent away. */
export class WebRtcViewer {
  readonly #options: ViewerOptions
  readonly #limits: ViewerLimits
  readonly #ice: IceAddress
  readonly #dtls: DtlsServer
  readonly #sender: MediaSender
  readonly #sent = new SentPackets()
  readonly #cname = randomBytes(9).toString('base64')
  readonly #ssrcs = { video: randomInt(1, 2 ** 31), sound: randomInt(2 ** 31, 2 ** 32) }
  readonly #over = new AbortController()
  readonly #ended = Promise.withResolvers<string>()
  readonly #asking: NodeJS.Timeout
  readonly #openedAt = performance.now()
  #seals: SrtpSender | undefined
  #opens: SrtcpReceiver | undefined
  #isSending = false
  /** What came for the handshake before the address has answered: until then nobody knows who gets the reply. */
  readonly #early: Buffer[] = []
  readonly #datagrams = createRateLimiter(DATAGRAMS, () => performance.now())

  constructor(options: ViewerOptions) {
    const { hub, chosen, offer, local, identity, limits } = options
    this.#options = options
    this.#limits = { ...LIMITS, ...limits }
    const { ufrag, password, fingerprints } = chosen.video.media
    this.#ice = new IceAddress({ local, remote: { ufrag, password }, send: options.send })
    this.#dtls = new DtlsServer({
      identity,
      isExpected: (certificate) => isNamed(certificate, fingerprints),
      send: (datagram) => this.#ice.confirmed && options.send(datagram, this.#ice.confirmed),
      onKeys: (keys) => this.#useKeys(keys),
      onEnd: (reason) => this.end(reason),
    })
    this.#sender = new MediaSender({
      hub,
      chosen,
      ssrcs: this.#ssrcs,
      signal: this.#over.signal,
      sink: {
        sendPacket: (packet, isKept) => this.#sendPacket(packet, isKept),
        sendReport: (figures) => this.#sendReport(figures),
        isCongested: options.isCongested,
      },
    })
    this.#asking = setInterval(() => this.#watch(), ASK_EVERY_MS)
    this.#asking.unref()
    this.answer = writeAnswer({
      offer,
      chosen,
      local,
      ssrcs: this.#ssrcs,
      cname: this.#cname,
      soundNote: options.soundNote,
    })
  }

  /** The session description for the viewer. */
  readonly answer: string

  /** Resolves with the reason. */
  get ended(): Promise<string> {
    return this.#ended.promise
  }

  get confirmed(): Endpoint | undefined {
    return this.#ice.confirmed
  }

  isKnown(from: Endpoint): boolean {
    return this.#ice.isKnown(from)
  }

  takeCheck(message: StunMessage, from: Endpoint): void {
    if (this.#datagrams.consume('checks') !== undefined) return
    this.#ice.take(message, from)
    if (this.#ice.confirmed !== undefined) for (const early of this.#early.splice(0)) this.#dtls.receive(early)
    this.#sendWhenReady()
  }

  /** Anything else from an address of this viewer. */
  take(datagram: Buffer): void {
    if (this.#datagrams.consume('others') !== undefined) return
    const first = datagram[0] ?? 0
    if (first >= 20 && first <= 63) this.#takeHandshake(datagram)
    else if (first >= 128 && first <= 191) this.#takeReport(datagram)
    this.#sendWhenReady()
  }

  #takeHandshake(datagram: Buffer): void {
    if (this.#ice.confirmed !== undefined) this.#dtls.receive(datagram)
    else if (this.#early.length < MAX_EARLY) this.#early.push(datagram)
  }

  end(reason: string): void {
    if (this.#over.signal.aborted) return
    this.#over.abort()
    clearInterval(this.#asking)
    this.#dtls.close()
    this.#ended.resolve(reason)
  }

  #watch(): void {
    const { connectsWithinMs, silentMs } = this.#limits
    const isLate = !this.#isSending && performance.now() - this.#openedAt > connectsWithinMs
    const isSilent = this.#isSending && this.#ice.silentMs > silentMs
    if (isLate) this.end('the viewer didn’t connect')
    else if (isSilent) this.end('the viewer doesn’t answer')
    else this.#ice.ask()
  }

  #useKeys(keys: SrtpKeys): void {
    this.#seals = new SrtpSender(keys)
    this.#opens = new SrtcpReceiver(keys)
  }

  #sendWhenReady(): void {
    if (this.#isSending || this.#seals === undefined || this.#ice.confirmed === undefined) return
    this.#isSending = true
    this.#sender.run().then(
      (reason) => this.end(reason),
      (error: unknown) => {
        this.#options.onBug(error)
        this.end('a bug')
      },
    )
  }

  #sendPacket(packet: Uint8Array, isKept: boolean): void {
    const sealed = this.#seals?.rtp(packet)
    if (sealed === undefined || this.#ice.confirmed === undefined) return
    if (isKept) this.#sent.add(sealed)
    this.#options.send(sealed, this.#ice.confirmed)
  }

  #sendReport(figures: SenderFigures): void {
    const sealed = this.#seals?.rtcp(senderReport(figures, this.#cname))
    if (sealed !== undefined && this.#ice.confirmed !== undefined) this.#options.send(sealed, this.#ice.confirmed)
  }

  #takeReport(datagram: Buffer): void {
    const opened = this.#opens?.open(datagram)
    if (opened === undefined) return
    const { missing, wantsPicture, hasLeft } = readFeedback(opened)
    if (hasLeft) this.end('the viewer has left')
    if (hasLeft) return
    for (const { ssrc, sequences } of missing) if (ssrc === this.#ssrcs.video) this.#sendAgain(sequences)
    if (wantsPicture) this.#sender.repeatPictures()
  }

  #sendAgain(sequences: readonly number[]): void {
    const to = this.#ice.confirmed
    if (to !== undefined) for (const packet of this.#sent.repeat(sequences)) this.#options.send(packet, to)
  }
}

const HASHES: Readonly<Record<string, string>> = { 'sha-256': 'sha256', 'sha-384': 'sha384', 'sha-512': 'sha512' }

/** Whether it is the certificate of one of these fingerprints (RFC 8122). */
function isNamed(certificate: Buffer, fingerprints: OfferedMedia['fingerprints']): boolean {
  return fingerprints.some((fingerprint) => {
    const [name = '', value = ''] = fingerprint.split(' ')
    const hash = HASHES[name]
    return hash !== undefined && createHash(hash).update(certificate).digest('hex') === value.replaceAll(':', '')
  })
}
