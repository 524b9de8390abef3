import { expect, test } from 'vitest'
import type { TrackConfig } from '../frame/index.ts'
import { chooseTracks } from './answer.ts'
import { readOffer } from './offer.ts'

const LINES = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0 1',
  'a=ice-ufrag:abcd',
  `a=ice-pwd:${'p'.repeat(24)}`,
  `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
  'a=setup:actpass',
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97 98 99',
  'a=mid:0',
  'a=recvonly',
  'a=rtcp-mux',
  'a=rtpmap:96 VP8/90000',
  'a=rtpmap:97 H264/90000',
  'a=fmtp:97 level-asymmetry-allowed=1;packetization-mode=0;profile-level-id=640032',
  'a=rtpmap:98 H264/90000',
  'a=fmtp:98 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  'a=rtpmap:99 H264/90000',
  'a=fmtp:99 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=4d001f',
  'm=audio 9 UDP/TLS/RTP/SAVPF 0 111',
  'a=mid:1',
  'a=recvonly',
  'a=rtcp-mux',
  'a=rtpmap:111 opus/48000/2',
]
const without = (start: string) => LINES.filter((line) => !line.startsWith(start))
const instead = (start: string, ...lines: string[]) => LINES.flatMap((line) => (line.startsWith(start) ? lines : line))
const read = (lines: readonly string[]) => readOffer(`${lines.join('\r\n')}\r\n`)

test.each([
  ['nothing', [], 'not a session description'],
  ['no video', without('m=video').filter((line) => !line.startsWith('a=rtpmap:9')), 'no video'],
  ['video that is sent', instead('a=recvonly', 'a=sendonly'), 'recvonly'],
  ['no rtcp-mux', without('a=rtcp-mux'), 'rtcp-mux'],
  ['no name for ICE', without('a=ice-ufrag'), 'a=ice-ufrag'],
  ['a short password', instead('a=ice-pwd', 'a=ice-pwd:short'), 'a=ice-pwd'],
  ['no fingerprint', without('a=fingerprint'), 'a=fingerprint'],
  ['a fingerprint by SHA-1', instead('a=fingerprint', 'a=fingerprint:sha-1 AB:CD'), 'SHA-256'],
  ['a viewer that waits', instead('a=setup', 'a=setup:passive'), 'a=setup'],
  ['plain RTP', instead('m=video', 'm=video 9 RTP/AVP 97'), 'UDP/TLS/RTP/SAVPF'],
  ['many media', [...LINES, ...Array<string>(20).fill('m=video 9 X 1')], 'more than 16'],
  ['a line without a type', [...LINES, 'hello'], 'can’t be read'],
])('an offer with %s is refused with a sentence', (_, lines, sentence) => {
  expect(read(lines)).toEqual({ ok: false, failure: expect.stringContaining(sentence) })
})

test('any prefix and any missing line is an offer or a sentence', () => {
  const text = LINES.join('\r\n')
  for (let length = 0; length <= text.length; length++) expect(readOffer(text.slice(0, length))).toHaveProperty('ok')
  for (let gone = 0; gone < LINES.length; gone++) expect(read(LINES.toSpliced(gone, 1))).toHaveProperty('ok')
})

test.each([
  ['one format that is listed often, with long parameters', ['0 '.repeat(10_000), `a=fmtp:0 ${'a=;'.repeat(12_000)}`]],
  ['many formats and much feedback', ['0 '.repeat(10_000), ...Array<string>(2800).fill('a=rtcp-fb:* x')]],
  [
    'all formats with their own lines',
    [
      Array.from({ length: 128 }, (_, type) => type).join(' '),
      ...Array.from({ length: 128 }, (_, type) => `a=rtpmap:${type} H264/90000\na=fmtp:${type} ${'a=;'.repeat(100)}`),
      ...Array<string>(900).fill('a=rtcp-fb:* x'),
    ],
  ],
])('nobody makes an offer that takes long to read: %s', (_, [formats, ...lines]) => {
  const start = process.cpuUsage()
  const offer = read([...without('m='), `m=video 9 UDP/TLS/RTP/SAVPF ${formats}`, ...lines])
  const { user } = process.cpuUsage(start)
  expect(offer).toHaveProperty('ok')
  expect(user / 1000).toBeLessThan(100)
  if (!offer.ok) return
  expect(offer.value.media[0]?.codecs.length).toBeLessThanOrEqual(128)
  expect(offer.value.media[0]?.codecs[0]?.feedback.length ?? 0).toBeLessThanOrEqual(64)
})

const video = (profile: number): TrackConfig => ({
  kind: 'video',
  codec: 'h264',
  codecString: 'avc1',
  width: 640,
  height: 360,
  parameterSets: [Uint8Array.of(0x67, profile, 0, 0x28), Uint8Array.of(0x68)],
})
const sound = (codec: 'pcmu' | 'opus' | 'aac', sampleRate: number): TrackConfig => ({
  kind: 'audio',
  codec,
  codecString: codec,
  sampleRate,
  channels: 1,
  config: new Uint8Array(0),
})

function choose(tracks: readonly TrackConfig[], lines = LINES) {
  const offer = read(lines)
  if (!offer.ok) throw new Error(offer.failure)
  const chosen = chooseTracks(offer.value, tracks)
  if (!chosen.ok) return chosen.failure
  const { codec } = chosen.value.video
  return [codec.payloadType, codec.parameters.get('profile-level-id'), chosen.value.sound?.codec.payloadType]
}

test('the stream’s own profile is taken with its level, otherwise the one that does most', () => {
  expect(choose([video(0x4d)])).toEqual([99, '4d0028', undefined])
  expect(choose([video(0x42)])).toEqual([98, '42e028', undefined])
  expect(choose([video(0x64)])).toEqual([99, '4d001f', undefined])
  expect(choose([video(0x64)], without('a=fmtp'))).toContain('packetization-mode=1')
})

test('sound is taken if the viewer knows it, in the transport of the pictures', () => {
  expect(choose([video(0x4d), sound('pcmu', 8000)])).toEqual([99, '4d0028', 0])
  expect(choose([video(0x4d), sound('opus', 48_000)])).toEqual([99, '4d0028', 111])
  expect(choose([video(0x4d), sound('pcmu', 16_000)])).toEqual([99, '4d0028', undefined])
  expect(choose([video(0x4d), sound('aac', 16_000)])).toEqual([99, '4d0028', undefined])
  expect(choose([video(0x4d), sound('pcmu', 8000)], without('a=group'))).toEqual([99, '4d0028', undefined])
})

test('H.265 is sent only to those that take it', () => {
  const h265: TrackConfig = { ...(video(0) as Extract<TrackConfig, { kind: 'video' }>), codec: 'h265' }
  expect(choose([h265])).toContain('stream=sub')
  expect(choose([h265], instead('a=rtpmap:96', 'a=rtpmap:96 H265/90000'))).toEqual([96, undefined, undefined])
})
