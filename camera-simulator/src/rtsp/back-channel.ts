import { type EpochMs, steadyNow } from '../clock.ts'

/** What the camera does with sound sent to it (ONVIF Streaming Specification, "Back Channel Connection"); `refused`: DESCRIBE that requires it gets 551. */
export type BackChannelKind = 'none' | 'refused' | SoundKind

/** `AAC`: AAC-LC, 16,000 samples a second, one channel, in the mode AAC-hbr (RFC 3640 §3.3.6), and nothing else. */
type SoundKind = 'PCMU' | 'PCMA' | 'AAC'

/** The feature tag that a client requires. */
const BACK_CHANNEL_TAG = 'www.onvif.org/ver20/backchannel'

/** Lines about the format: payload types of RFC 3551, table 4, and one that the camera chose. */
const FORMATS: Readonly<Record<SoundKind, readonly string[]>> = {
  PCMU: ['m=audio 0 RTP/AVP 0', 'a=rtpmap:0 PCMU/8000'],
  PCMA: ['m=audio 0 RTP/AVP 8', 'a=rtpmap:8 PCMA/8000'],
  AAC: [
    'm=audio 0 RTP/AVP 97',
    'a=rtpmap:97 mpeg4-generic/16000/1',
    'a=fmtp:97 streamtype=5;profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=1408',
  ],
}

const isSound = (kind: BackChannelKind): kind is SoundKind => kind in FORMATS

const RTP_HEADER_BYTES = 12

/** One RTP packet that was sent to the camera (RFC 3550 §5.1). */
export interface HeardPacket {
  readonly at: EpochMs
  readonly marker: boolean
  readonly payloadType: number
  readonly sequence: number
  /** In samples. */
  readonly timestamp: number
  readonly source: number
  /** G.711, one byte a sample; AAC with its headers. */
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
    return isSound(this.kind)
  }

  /** Whether the camera rejects what the client requires. */
  rejects(required: string | undefined): boolean {
    return this.kind === 'refused' && required !== undefined
  }

  /** Lines of the session description; none unless the client requires the back channel. */
  describe(required: string | undefined, control: string): string {
    if (!isSound(this.kind) || required !== BACK_CHANNEL_TAG) return ''
    return [...FORMATS[this.kind], `a=control:${control}`, 'a=sendonly', ''].join('\r\n')
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
