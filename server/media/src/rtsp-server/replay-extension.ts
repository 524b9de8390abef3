import { writeNtp } from './ntp-time.ts'

/** What a client of ONVIF learns of a unit (ONVIF Streaming §6.3). */
export interface ReplayFields {
  /** Milliseconds since 1970. */
  readonly wallClock: number
  /** A decoder can start here. */
  readonly isKey: boolean
  /** The last before a gap. */
  readonly endsSection: boolean
  /** It doesn't continue what was sent before. */
  readonly isApart: boolean
  readonly isLast: boolean
  /** Of the PLAY request; its low byte counts. */
  readonly cseq: number
}

const PROFILE = 0xab_ac
const WORDS = 3

/** The extension of a packet's header, which stands before its payload; the header has to say that it is there. */
export function replayExtension({ wallClock, cseq, ...is }: ReplayFields): Uint8Array {
  const bytes = Buffer.alloc(4 + WORDS * 4)
  bytes.writeUInt16BE(PROFILE, 0)
  bytes.writeUInt16BE(WORDS, 2)
  writeNtp(bytes, 4, wallClock)
  const flags = [is.isKey, is.endsSection, is.isApart, is.isLast]
  bytes[12] = flags.reduce((sum, isSet, at) => sum | (isSet ? 0x80 >> at : 0), 0)
  bytes[13] = cseq & 0xff
  return bytes
}
