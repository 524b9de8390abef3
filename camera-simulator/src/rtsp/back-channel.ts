import { type EpochMs, steadyNow } from '../clock.ts'

/** What the camera does with sound sent to it (ONVIF Streaming Specification, "Back Channel Connection"); `refused`: DESCRIBE that requires it gets 551. */
export type BackChannelKind = 'none' | 'refused' | 'PCMU' | 'PCMA'

/** The feature tag that a client requires. */
const BACK_CHANNEL_TAG = 'www.onvif.org/ver20/backchannel'

/** Payload types of RFC 3551, table 4. */
const PAYLOAD_TYPES = { PCMU: 0, PCMA: 8 } as const

const RTP_HEADER_BYTES = 12

/** One RTP packet that was sent to the camera (RFC 3550 §5.1). */
export interface HeardPacket {
  readonly at: EpochMs
  readonly marker: boolean
  readonly payloadType: number
  readonly sequence: number
  /** In samples, 8000 a second. */
  readonly timestamp: number
  readonly source: number
  /** G.711, one byte a sample. */
  readonly payload: Buffer
}

/** A camera's loudspeaker: it keeps what was sent to it. */
export class Loudspeaker {
  readonly kind: BackChannelKind
  readonly #heard: HeardPacket[] = []
  /** RTCP packets, whole. */
  readonly reports: Buffer[] = []

  constructor(kind: BackChannelKind) {
    this.kind = kind
  }

  get heard(): readonly HeardPacket[] {
    return this.#heard
  }

  get isOffered(): boolean {
    return this.kind === 'PCMU' || this.kind === 'PCMA'
  }

  /** Whether the camera rejects what the client requires. */
  rejects(required: string | undefined): boolean {
    return this.kind === 'refused' && required !== undefined
  }

  /** Lines of the session description; none unless the client requires the back channel. */
  describe(required: string | undefined, control: string): string {
    if ((this.kind !== 'PCMU' && this.kind !== 'PCMA') || required !== BACK_CHANNEL_TAG) return ''
    const type = PAYLOAD_TYPES[this.kind]
    return [
      `m=audio 0 RTP/AVP ${type}`,
      `a=rtpmap:${type} ${this.kind}/8000`,
      `a=control:${control}`,
      'a=sendonly',
      '',
    ].join('\r\n')
  }

  /** `isReport`: the packet came on the channel of RTCP. */
  hear(packet: Buffer, isReport: boolean): void {
    if (isReport) this.reports.push(Buffer.from(packet))
    else if (packet.length >= RTP_HEADER_BYTES && packet.readUInt8(0) >> 6 === 2) this.#heard.push(readPacket(packet))
  }
}

function readPacket(packet: Buffer): HeardPacket {
  const second = packet.readUInt8(1)
  return {
    at: steadyNow(),
    marker: second > 0x7f,
    payloadType: second & 0x7f,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    source: packet.readUInt32BE(8),
    payload: Buffer.from(packet.subarray(RTP_HEADER_BYTES)),
  }
}
