/** R15: a million mutated RTSP messages and the session descriptions in them cause no exception, no hang, and no memory that grows. */
import { expect, test } from 'vitest'
import { chooseMedia } from '../../server/media/src/source/rtsp/media-choice.ts'
import { findRedirect } from '../../server/media/src/source/rtsp/redirect.ts'
import { resolveControl } from '../../server/media/src/source/rtsp/rtsp-address.ts'
import { authorization, strongestChallenge } from '../../server/media/src/source/rtsp/rtsp-authentication.ts'
import { RtspFraming, type RtspMessage } from '../../server/media/src/source/rtsp/rtsp-framing.ts'
import { readBase, readChannel, readSession } from '../../server/media/src/source/rtsp/rtsp-setup.ts'
import { parseSdp } from '../../server/media/src/source/rtsp/sdp.ts'

const MESSAGES = 1_000_000
const WARM_UP = 50_000
const MAX_GROWTH_BYTES = 128 * 1024 * 1024
/** A message is read in some 50 µs; one that takes so long on any machine has met a search that explodes. */
const MAX_MESSAGE_MS = 2000

/** Mulberry32: the same sequence on every machine. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}

const SDP = [
  'v=0\r\no=- 1 1 IN IP4 192.0.2.20\r\ns=Media\r\nc=IN IP4 0.0.0.0\r\nt=0 0\r\na=control:*\r\na=range:npt=0-\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n' +
    'a=fmtp:96 packetization-mode=1;profile-level-id=4d0028;sprop-parameter-sets=Z01AKOygPAET8uAiAAADAAIAAAMAZB4wYyw=,aOvjyyA=\r\na=control:trackID=1\r\n' +
    'm=audio 0 RTP/AVP 97\r\na=rtpmap:97 MPEG4-GENERIC/16000/1\r\na=fmtp:97 streamtype=5;config=1408;SizeLength=13;IndexLength=3;IndexDeltaLength=3\r\na=control:trackID=2\r\n',
  'v=0\r\ns=-\r\na=control:rtsp://192.0.2.20/live/\r\nm=video 0 RTP/AVP 98 99\r\na=rtpmap:98 H265/90000\r\na=fmtp:98 sprop-vps=QAEMAf//;sprop-sps=QgEBAWAA;sprop-pps=RAHgcrBA\r\n' +
    'm=audio 0 RTP/AVP 8\r\na=sendonly\r\na=control:backchannel\r\nm=application 0 RTP/AVP 107\r\na=rtpmap:107 vnd.onvif.metadata/90000\r\n',
]

const reply = (start: string, headers: readonly string[], body = ''): string =>
  [
    `RTSP/1.0 ${start}`,
    'CSeq: 3',
    ...headers,
    ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
    '',
    body,
  ].join('\r\n')

/** Replies as cameras send them, and a request of one. */
const SAMPLES = [
  reply('200 OK', ['Public: OPTIONS, DESCRIBE, SETUP, PLAY, GET_PARAMETER, TEARDOWN', 'Server: Hipcam']),
  reply('401 Unauthorized', [
    'WWW-Authenticate: Digest realm="IP Camera(23)", nonce="6d1e", stale="FALSE", qop="auth", algorithm=SHA-256, opaque="5c"',
    'WWW-Authenticate: Digest realm="IP Camera(23)", nonce="6d1e", Basic realm="IP Camera(23)"',
  ]),
  reply('302 Moved Temporarily', ['Location: rtsp://user:pass@192.0.2.21:8554/other?channel=1']),
  ...SDP.map((body) =>
    reply('200 OK', ['Content-Base: rtsp://192.0.2.20/live/', 'Content-Type: application/sdp'], body),
  ),
  reply('200 OK', ['Session: 7B3A1C; timeout=60', 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1;ssrc= 1A 2B']),
  reply('200 OK', [
    'Session: 7B3A1C',
    'RTP-Info: url=rtsp://192.0.2.20/live/trackID=1;seq=1;rtptime=90;',
    'Range: npt=0-',
  ]),
  'ANNOUNCE rtsp://192.0.2.1/live RTSP/1.0\r\nCSeq: 9\r\n\r\n',
].map((text) => Buffer.from(text, 'latin1'))

/** What a mutation puts in, besides any byte. */
const PIECES = [
  ...['\r\n', '\r\n\r\n', '\0', ':', ';', ',', '=', '"', '://', '*', '../', '%00', ' '.repeat(300), 'a='.repeat(200)],
  ...['m=video 0 RTP/AVP 96\r\n'.repeat(40), '9'.repeat(400), '-1', '4294967296', '1e9', 'Content-Length: 65537\r\n'],
  ...['digest '.repeat(200), 'a="'.repeat(300), '$', '\u0000\u0001', '__proto__', 'é'.repeat(50)],
].map((text) => Buffer.from(text, 'latin1'))

function mutated(roll: (sides: number) => number): Buffer {
  let bytes = SAMPLES[roll(SAMPLES.length)] ?? Buffer.alloc(0)
  for (let left = 1 + roll(6); left > 0; left--) {
    const at = roll(bytes.length + 1)
    const removed = roll(3) === 0 ? roll(64) : roll(3)
    const put = roll(2) === 0 ? Buffer.of(roll(256)) : (PIECES[roll(PIECES.length)] ?? Buffer.alloc(0))
    bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + removed)])
  }
  return bytes
}

const address = { host: '192.0.2.20', port: 554, path: '/live' }
const credentials = { username: 'admin', password: 'secret' }

/** Everything that the client reads of a reply, whatever it was asked. Returns whether it could play what is described. */
function read(message: RtspMessage): boolean {
  const challenge = strongestChallenge(message.headers.get('www-authenticate') ?? [])
  if (challenge !== undefined) {
    const sent = authorization(challenge, credentials, { method: 'PLAY', uri: 'rtsp://192.0.2.20/live', count: 1 })
    if (/[\r\n]/.test(sent)) throw new Error(`a challenge adds lines to a request: ${JSON.stringify(sent)}`)
  }
  const location = message.headers.get('location')?.[0]
  const next = findRedirect({ address, credentials }, { ended: { kind: 'redirected', detail: '' }, location })
  if (next?.credentials !== undefined && next.address.host !== address.host)
    throw new Error(`a redirect to ${next.address.host} gets the password`)
  readSession(message)
  readChannel(message.headers.get('transport')?.[0] ?? '', 0)
  const base = readBase(address, message)
  const sdp = parseSdp(message.body)
  const choice = chooseMedia(sdp)
  if (base.ok)
    for (const { control } of sdp.media) {
      const target = resolveControl(base.value, control)
      if (target.ok && /[\r\n\s]/.test(target.value.path)) throw new Error(`a control adds to a request: ${control}`)
    }
  return choice.ok
}

test('a million mutated messages are read or refused', { timeout: 3_600_000 }, () => {
  const roll = dice(20_261_130)
  const counts = { read: 0, refused: 0, playable: 0 }
  let before = 0
  let longest = 0
  for (let number = 0; number < MESSAGES; number++) {
    if (number === WARM_UP) before = process.memoryUsage().rss
    const bytes = mutated(roll)
    const began = performance.now()
    const framing = new RtspFraming({
      packet: () => undefined,
      message(message) {
        counts.read++
        if (read(message)) counts.playable++
      },
    })
    for (let at = 0, size = 0; at < bytes.length; at += size) {
      size = 1 + roll(2000)
      if (framing.feed(bytes.subarray(at, at + size)) === undefined) continue
      counts.refused++
      break
    }
    longest = Math.max(longest, performance.now() - began)
  }
  expect(longest).toBeLessThan(MAX_MESSAGE_MS)
  expect(process.memoryUsage().rss - before).toBeLessThan(MAX_GROWTH_BYTES)
  // Enough of each kind that something was tried.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(MESSAGES / 100)
})
