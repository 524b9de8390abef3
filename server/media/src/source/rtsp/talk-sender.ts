import { randomBytes } from 'node:crypto'
import type { TalkPacket, TalkPackets } from './talk-packets.ts'

const TICK_MS = 10
const REPORT_MS = 5000
/** Sound that waits to be sent; beyond it the sender of the sound waits. */
const MAX_WAITING_MS = 500
/** Late packets that are sent at once after a hitch; older time is skipped. */
const MAX_LATE_MS = 200
const SENDER_REPORT = 200
const NTP_EPOCH_SECONDS = 2_208_988_800

export interface TalkSenderOptions {
  /** 0 for PCMU, 8 for PCMA, and as the camera says for AAC. */
  readonly payloadType: number
  readonly packets: TalkPackets
  readonly sendRtp: (packet: Buffer) => void
  readonly sendRtcp: (packet: Buffer) => void
  /** Milliseconds without sound after which the talk is over. */
  readonly silenceMs: number
  readonly onSilence: () => void
}

/** Sends sound to a camera as it would be spoken: a packet when the one before has been heard, and a sender report each 5 s (RFC 3550 §6.4.1). */
export class TalkSender implements Disposable {
  readonly #options: TalkSenderOptions
  readonly #ssrc = randomBytes(4).readUInt32BE()
  readonly #timer: NodeJS.Timeout
  #sequence = randomBytes(2).readUInt16BE()
  #timestamp = randomBytes(4).readUInt32BE()
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
    this.#timer = setInterval(() => this.#tick(performance.now()), TICK_MS)
  }

  /** Takes G.711, one byte a sample, or one frame of AAC. Resolves when more may come. */
  async push(sound: Uint8Array): Promise<void> {
    if (this.#isEnded) return
    this.#heardAt = performance.now()
    this.#options.packets.add(sound)
    if (this.#options.packets.waitingMs <= MAX_WAITING_MS) return
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
    while (this.#options.packets.waitingMs > 0) await new Promise((resolve) => setTimeout(resolve, TICK_MS))
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#isEnded = true
    this.#options.packets.clear()
    this.#room?.()
  }

  #tick(now: number): void {
    if (now - this.#due > MAX_LATE_MS) this.#skipTo(now)
    const { packets, silenceMs, onSilence } = this.#options
    while (this.#due <= now) {
      const packet = packets.take(this.#isEnded)
      if (packet === undefined) break
      this.#send(packet, now)
    }
    if (packets.waitingMs <= MAX_WAITING_MS) {
      this.#room?.()
      this.#room = undefined
    }
    if (!this.#isEnded && packets.waitingMs < this.#packetMs && now - this.#heardAt > silenceMs) onSilence()
  }

  get #packetMs(): number {
    const { samplesPerPacket, rate } = this.#options.packets
    return (samplesPerPacket * 1000) / rate
  }

  /** Timestamps go on during silence; the packet after it begins a talk spurt (RFC 3551 §4.1). */
  #skipTo(now: number): void {
    const count = Math.floor((now - this.#due) / this.#packetMs)
    this.#due += count * this.#packetMs
    this.#timestamp = (this.#timestamp + count * this.#options.packets.samplesPerPacket) >>> 0
    this.#isSpurt = false
  }

  #send({ payload, samples }: TalkPacket, now: number): void {
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
    this.#timestamp = (this.#timestamp + samples) >>> 0
    this.#due += (samples * 1000) / this.#options.packets.rate
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
    report.writeUInt32BE(
      (this.#timestamp + Math.round(((now - this.#due) * this.#options.packets.rate) / 1000)) >>> 0,
      16,
    )
    report.writeUInt32BE(this.#packets, 20)
    report.writeUInt32BE(this.#bytes >>> 0, 24)
    this.#options.sendRtcp(report)
  }
}
