import { randomBytes } from 'node:crypto'

/** 20 ms at 8 kHz, the usual packet of G.711 (RFC 3551 §4.2). */
const SAMPLES_PER_PACKET = 160
const PACKET_MS = 20
const SAMPLES_PER_MS = 8
const REPORT_MS = 5000
/** Sound that waits to be sent; beyond it the sender of the sound waits. */
const MAX_WAITING_BYTES = 4000
/** Late packets that are sent at once after a hitch; older time is skipped. */
const MAX_LATE_MS = 200
const SENDER_REPORT = 200
const NTP_EPOCH_SECONDS = 2_208_988_800

export interface TalkSenderOptions {
  /** 0 for PCMU, 8 for PCMA. */
  readonly payloadType: number
  readonly sendRtp: (packet: Buffer) => void
  readonly sendRtcp: (packet: Buffer) => void
  /** Milliseconds without sound after which the talk is over. */
  readonly silenceMs: number
  readonly onSilence: () => void
}

/** Sends G.711 to a camera as it would be spoken: a packet each 20 ms, and a sender report each 5 s (RFC 3550 §6.4.1). */
export class TalkSender implements Disposable {
  readonly #options: TalkSenderOptions
  readonly #ssrc = randomBytes(4).readUInt32BE()
  readonly #timer: NodeJS.Timeout
  #sequence = randomBytes(2).readUInt16BE()
  #timestamp = randomBytes(4).readUInt32BE()
  #waiting: Buffer = Buffer.alloc(0)
  #isEnded = false
  #isSpurt = false
  #room: (() => void) | undefined
  /** When the next packet is due, monotonic. */
  #due = performance.now()
  #heardAt = performance.now()
  #reportedAt = Number.NEGATIVE_INFINITY
  #packets = 0
  #bytes = 0

  constructor(options: TalkSenderOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#tick(performance.now()), PACKET_MS / 2)
  }

  /** Takes G.711, one byte a sample. Resolves when more may come. */
  async push(sound: Uint8Array): Promise<void> {
    if (this.#isEnded) return
    this.#heardAt = performance.now()
    this.#waiting = Buffer.concat([this.#waiting, sound])
    if (this.#waiting.length <= MAX_WAITING_BYTES) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#room
    this.#room = () => {
      before?.()
      resolve()
    }
    await promise
  }

  /** No more sound comes; what waits is sent in a last, shorter packet if need be. Resolves when all is sent. */
  async finish(): Promise<void> {
    this.#isEnded = true
    while (this.#waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, PACKET_MS / 2))
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#isEnded = true
    this.#waiting = Buffer.alloc(0)
    this.#room?.()
  }

  #tick(now: number): void {
    if (now - this.#due > MAX_LATE_MS) this.#skipTo(now)
    while (this.#due <= now && this.#isReady()) this.#send(now)
    if (this.#waiting.length <= MAX_WAITING_BYTES) {
      this.#room?.()
      this.#room = undefined
    }
    if (!this.#isEnded && this.#waiting.length < SAMPLES_PER_PACKET && now - this.#heardAt > this.#options.silenceMs)
      this.#options.onSilence()
  }

  #isReady(): boolean {
    return this.#waiting.length >= SAMPLES_PER_PACKET || (this.#isEnded && this.#waiting.length > 0)
  }

  /** Timestamps go on during silence; the packet after it begins a talk spurt (RFC 3551 §4.1). */
  #skipTo(now: number): void {
    const packets = Math.floor((now - this.#due) / PACKET_MS)
    this.#due += packets * PACKET_MS
    this.#timestamp = (this.#timestamp + packets * SAMPLES_PER_PACKET) >>> 0
    this.#isSpurt = false
  }

  #send(now: number): void {
    const payload = this.#waiting.subarray(0, SAMPLES_PER_PACKET)
    this.#waiting = this.#waiting.subarray(payload.length)
    const header = Buffer.alloc(12)
    header[0] = 0x80
    header[1] = this.#options.payloadType | (this.#isSpurt ? 0 : 0x80)
    header.writeUInt16BE(this.#sequence, 2)
    header.writeUInt32BE(this.#timestamp, 4)
    header.writeUInt32BE(this.#ssrc, 8)
    if (now - this.#reportedAt >= REPORT_MS) this.#report(now)
    this.#options.sendRtp(Buffer.concat([header, payload]))
    this.#isSpurt = true
    this.#sequence = (this.#sequence + 1) & 0xff_ff
    this.#timestamp = (this.#timestamp + payload.length) >>> 0
    this.#due += payload.length / SAMPLES_PER_MS
    this.#packets++
    this.#bytes += payload.length
  }

  #report(now: number): void {
    this.#reportedAt = now
    const wallClock = Date.now() / 1000 + NTP_EPOCH_SECONDS
    const report = Buffer.alloc(28)
    report[0] = 0x80
    report[1] = SENDER_REPORT
    report.writeUInt16BE(report.length / 4 - 1, 2)
    report.writeUInt32BE(this.#ssrc, 4)
    report.writeUInt32BE(Math.floor(wallClock) >>> 0, 8)
    report.writeUInt32BE(Math.floor((wallClock % 1) * 2 ** 32), 12)
    report.writeUInt32BE((this.#timestamp + Math.round((now - this.#due) * SAMPLES_PER_MS)) >>> 0, 16)
    report.writeUInt32BE(this.#packets, 20)
    report.writeUInt32BE(this.#bytes >>> 0, 24)
    this.#options.sendRtcp(report)
  }
}
