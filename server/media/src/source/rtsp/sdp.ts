/** One format of an `m=` section (RFC 8866 §5.14) with the attributes a player needs. */
export interface SdpMedia {
  readonly kind: string
  readonly payloadType: number
  /** Upper case: `H264`, `MPEG4-GENERIC`; empty if neither rtpmap nor a static type says. */
  readonly encoding: string
  readonly clockRate: number
  readonly channels: number
  /** Names in lower case (RFC 6184 §8.1, RFC 3640 §4.1). */
  readonly parameters: ReadonlyMap<string, string>
  readonly control: string
  /** The camera wants to receive sound here, not send it (ONVIF back channel). */
  readonly isBackChannel: boolean
}

export interface Sdp {
  readonly control: string
  readonly media: readonly SdpMedia[]
}

const MAX_LINES = 2000
const MAX_MEDIA = 16
/** Payload types of one `m=` line. */
const MAX_FORMATS = 8
const MAX_CLOCK = 1_000_000
/** Types with a fixed meaning (RFC 3551 table 4), as far as cameras use them. */
const STATIC_ENCODINGS: Readonly<Record<number, string>> = { 0: 'PCMU', 8: 'PCMA' }

/** Parses a session description. Unknown lines are skipped; a text without `m=` gives no media. */
export function parseSdp(text: string): Sdp {
  const sections: string[][] = [[]]
  for (const line of text.split(/\r?\n/, MAX_LINES)) {
    if (line.startsWith('m=')) sections.push([])
    sections.at(-1)?.push(line)
  }
  const [session = [], ...media] = sections
  return {
    control: attribute(session, 'control') ?? '*',
    media: media.slice(0, MAX_MEDIA).flatMap(parseMedia),
  }
}

/** A section may offer several formats, the preferred one first. */
function parseMedia(lines: readonly string[]): readonly SdpMedia[] {
  const match = /^m=(\w{1,32}) \d{1,5}(?:\/\d+)? [\w/]{1,32} (\d{1,3}(?: +\d{1,3})*)/.exec(lines[0] ?? '')
  const types = (match?.[2] ?? '').split(/ +/, MAX_FORMATS).map(Number)
  return types
    .filter((payloadType) => match !== null && payloadType <= 127)
    .map((payloadType) => ({
      kind: match?.[1] ?? '',
      payloadType,
      ...rtpMap(lines, payloadType),
      parameters: formatParameters(lines, payloadType),
      control: attribute(lines, 'control') ?? '*',
      isBackChannel: lines.some((line) => line.trim() === 'a=sendonly'),
    }))
}

function attribute(lines: readonly string[], name: string): string | undefined {
  const start = `a=${name}:`
  return lines
    .find((line) => line.startsWith(start))
    ?.slice(start.length)
    .trim()
}

/** The value of an attribute that begins with the payload type: `a=rtpmap:96 H264/90000`. */
function attributeOf(lines: readonly string[], name: string, payloadType: number): string | undefined {
  const start = `a=${name}:${payloadType} `
  return lines
    .find((line) => line.startsWith(start))
    ?.slice(start.length)
    .trim()
}

function rtpMap(lines: readonly string[], payloadType: number): Pick<SdpMedia, 'encoding' | 'clockRate' | 'channels'> {
  const match = /^([\w.-]{1,32})\/(\d{1,7})(?:\/(\d{1,2}))?/.exec(attributeOf(lines, 'rtpmap', payloadType) ?? '')
  const encoding = STATIC_ENCODINGS[payloadType]
  if (match === null) return { encoding: encoding ?? '', clockRate: encoding === undefined ? 0 : 8000, channels: 1 }
  const clockRate = Number(match[2])
  const isLegal = clockRate > 0 && clockRate <= MAX_CLOCK
  return { encoding: isLegal ? (match[1] ?? '').toUpperCase() : '', clockRate, channels: Number(match[3] ?? '1') || 1 }
}

function formatParameters(lines: readonly string[], payloadType: number): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const part of (attributeOf(lines, 'fmtp', payloadType) ?? '').split(';', 64)) {
    const equals = part.indexOf('=')
    if (equals > 0) parameters.set(part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim())
  }
  return parameters
}
