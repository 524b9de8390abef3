import { AAC_FRAME_SAMPLES, G711_RATE } from '../../codec/index.ts'

export interface TalkPacket {
  readonly payload: Buffer
  readonly samples: number
}

/** Sound that waits to be sent, in packets of one length. */
export interface TalkPackets {
  /** Samples a second. */
  readonly rate: number
  readonly samplesPerPacket: number
  add(sound: Uint8Array): void
  readonly waitingMs: number
  /** The next packet; at the end a shorter one too. */
  take(isEnd: boolean): TalkPacket | undefined
  clear(): void
}

/** 20 ms, the usual packet of G.711 (RFC 3551 §4.2). */
const G711_PACKET = 160

/** G.711, one byte a sample. */
export class G711Packets implements TalkPackets {
  readonly rate = G711_RATE
  readonly samplesPerPacket = G711_PACKET
  #waiting: Buffer = Buffer.alloc(0)

  add(sound: Uint8Array): void {
    this.#waiting = Buffer.concat([this.#waiting, sound])
  }

  get waitingMs(): number {
    return (this.#waiting.length * 1000) / G711_RATE
  }

  take(isEnd: boolean): TalkPacket | undefined {
    if (this.#waiting.length < (isEnd ? 1 : G711_PACKET)) return undefined
    const payload = this.#waiting.subarray(0, G711_PACKET)
    this.#waiting = this.#waiting.subarray(payload.length)
    return { payload, samples: payload.length }
  }

  clear(): void {
    this.#waiting = Buffer.alloc(0)
  }
}

/** AAC, one frame each, with the header of the mode AAC-hbr: 13 bits for the size and 3 for the index (RFC 3640 §3.3.6). */
export class AacPackets implements TalkPackets {
  readonly rate: number
  readonly samplesPerPacket = AAC_FRAME_SAMPLES
  #waiting: Buffer[] = []

  constructor(rate: number) {
    this.rate = rate
  }

  add(frame: Uint8Array): void {
    const header = Buffer.alloc(4)
    header.writeUInt16BE(16, 0)
    header.writeUInt16BE(frame.length << 3, 2)
    this.#waiting.push(Buffer.concat([header, frame]))
  }

  get waitingMs(): number {
    return (this.#waiting.length * AAC_FRAME_SAMPLES * 1000) / this.rate
  }

  take(): TalkPacket | undefined {
    const payload = this.#waiting.shift()
    return payload && { payload, samples: AAC_FRAME_SAMPLES }
  }

  clear(): void {
    this.#waiting = []
  }
}
