import { fail, ok, type Result } from '@sightline/platform/result'

/** What a viewer offers (SDP, RFC 8866; JSEP, RFC 9429), as far as an answer depends on it. */

export interface Codec {
  readonly payloadType: number
  /** In lower case. */
  readonly name: string
  readonly clockRate: number
  readonly parameters: ReadonlyMap<string, string>
  /** `nack`, `nack pli`, … */
  readonly feedback: readonly string[]
}

export interface OfferedMedia {
  readonly kind: string
  readonly protocol: string
  readonly mid: string
  /** As the first line lists them. */
  readonly formats: readonly string[]
  readonly codecs: readonly Codec[]
  readonly direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'
  readonly isMuxed: boolean
  readonly ufrag: string
  readonly password: string
  readonly setup: string
  /** In lower case: `sha-256 ab:cd:…`. */
  readonly fingerprints: readonly string[]
}

export interface Offer {
  readonly media: readonly OfferedMedia[]
  /** The names of the media that share one transport. */
  readonly bundle: readonly string[]
}

/** Chromium's offers have about 6 KB. */
export const MAX_OFFER_BYTES = 64 * 1024
const MAX_LINES = 3000
const MAX_MEDIA = 16
/** Types of RTP have seven bits. */
const MAX_FORMATS = 128
/** What is asked about one format; more would multiply with the formats. */
const MAX_FEEDBACK = 32

type Lines = readonly string[]

/** Returns one sentence if it can't be read. */
export function readOffer(text: string): Result<Offer, string> {
  const lines = text.split(/\r\n|\n/).filter((line) => line !== '')
  if (text.length > MAX_OFFER_BYTES || lines.length > MAX_LINES) return fail('The session description is too long.')
  if (lines[0] !== 'v=0') return fail('The body is not a session description: it has to begin with v=0.')
  const broken = lines.find((line) => !/^[a-z]=/.test(line) || line.includes('\0'))
  if (broken !== undefined) return fail('A line of the session description can’t be read.')
  const starts = lines.flatMap((line, index) => (line.startsWith('m=') ? [index] : []))
  if (starts.length > MAX_MEDIA) return fail(`The session description has more than ${MAX_MEDIA} media.`)
  const session = lines.slice(0, starts[0])
  const media = starts.map((start, index) => readMedia(lines.slice(start, starts[index + 1]), session))
  const bundle = /^BUNDLE((?: \S{1,64}){0,64})$/.exec(attributeOf(session, 'group') ?? '')?.[1] ?? ''
  const offer = { media, bundle: bundle.split(' ').filter((mid) => mid !== '') }
  const video = media.find(({ kind }) => kind === 'video')
  if (video === undefined) return fail('The offer has no video.')
  return checkTransport(video) ?? ok(offer)
}

function checkTransport(video: OfferedMedia): Result<never, string> | undefined {
  if (!/^UDP\/TLS\/RTP\/SAVPF?$/.test(video.protocol)) return fail('Video has to be sent by UDP/TLS/RTP/SAVPF.')
  if (video.direction === 'sendonly' || video.direction === 'inactive')
    return fail('The offer doesn’t receive video: its direction has to be recvonly.')
  if (!video.isMuxed) return fail('The offer needs a=rtcp-mux.')
  if (!ICE_NAME.test(video.ufrag) || !ICE_PASSWORD.test(video.password))
    return fail('The offer needs a=ice-ufrag and a=ice-pwd.')
  if (video.fingerprints.length === 0) return fail('The offer needs a=fingerprint with SHA-256.')
  if (video.setup !== 'actpass' && video.setup !== 'active')
    return fail('The viewer has to begin the encryption: a=setup has to be actpass or active.')
  return undefined
}

/** RFC 8839 §5.4. */
const ICE_NAME = /^[A-Za-z0-9+/]{4,256}$/
const ICE_PASSWORD = /^[A-Za-z0-9+/]{22,256}$/
const FINGERPRINT = /^sha-(256|384|512) [0-9a-f]{2}(:[0-9a-f]{2}){31,63}$/

const attributesOf = (lines: Lines, name: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`a=${name}:`)).map((line) => line.slice(name.length + 3))

const attributeOf = (lines: Lines, name: string): string | undefined => attributesOf(lines, name)[0]

/** What is said of the session counts for media that doesn't say otherwise. */
function readMedia(lines: Lines, session: Lines): OfferedMedia {
  const [kind = '', , protocol = '', ...listed] = (lines[0] ?? '').slice(2).split(' ', MAX_FORMATS + 3)
  // Each once: whatever is said of a format is read for every time it is listed.
  const formats = [...new Set(listed)]
  const both = (name: string) => attributeOf(lines, name) ?? attributeOf(session, name) ?? ''
  const fingerprints = [...attributesOf(lines, 'fingerprint'), ...attributesOf(session, 'fingerprint')]
  const direction = DIRECTIONS.find((each) => lines.includes(`a=${each}`) || session.includes(`a=${each}`))
  return {
    kind,
    protocol,
    mid: attributeOf(lines, 'mid') ?? '',
    formats,
    codecs: readCodecs(lines, formats),
    direction: direction ?? 'sendrecv',
    isMuxed: lines.includes('a=rtcp-mux'),
    ufrag: both('ice-ufrag'),
    password: both('ice-pwd'),
    setup: both('setup') || 'actpass',
    fingerprints: fingerprints.map((each) => each.trim().toLowerCase()).filter((each) => FINGERPRINT.test(each)),
  }
}

const DIRECTIONS = ['sendrecv', 'sendonly', 'recvonly', 'inactive'] as const

/** Types of RTP with a fixed meaning that browsers may leave out (RFC 3551 table 4). */
const FIXED: Readonly<Record<string, string>> = { 0: 'PCMU/8000', 8: 'PCMA/8000' }

function readCodecs(lines: Lines, formats: readonly string[]): readonly Codec[] {
  const [maps, parameters] = [byType(attributesOf(lines, 'rtpmap')), byType(attributesOf(lines, 'fmtp'))]
  const feedback = byFormat(attributesOf(lines, 'rtcp-fb'))
  return formats.flatMap((format) => {
    const map = /^([\w.-]{1,32})\/(\d{1,6})/.exec(maps.get(format) ?? FIXED[format] ?? '')
    if (!/^\d{1,3}$/.test(format) || Number(format) > 127 || map === null) return []
    return {
      payloadType: Number(format),
      name: (map[1] ?? '').toLowerCase(),
      clockRate: Number(map[2]),
      parameters: readParameters(parameters.get(format) ?? ''),
      feedback: [...(feedback.get('*') ?? []), ...(feedback.get(format) ?? [])],
    }
  })
}

/** `<type> <rest>` by type. */
const byType = (values: readonly string[]): ReadonlyMap<string, string> =>
  new Map(values.map((value) => [value.split(' ', 1)[0] ?? '', value.slice(value.indexOf(' ') + 1)]))

/** All of `<type> <rest>` by type. */
function byFormat(values: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const value of values) {
    const type = value.split(' ', 1)[0] ?? ''
    const known = found.get(type) ?? []
    if (known.length < MAX_FEEDBACK) known.push(value.slice(type.length + 1))
    found.set(type, known)
  }
  return found
}

const readParameters = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(';').map((each) => {
      const [name = '', ...value] = each.trim().split('=')
      return [name.toLowerCase(), value.join('=')]
    }),
  )
