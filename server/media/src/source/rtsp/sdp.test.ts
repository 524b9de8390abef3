import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseMedia } from './media-choice.ts'
import { parseSdp } from './sdp.ts'

/** As cameras send it, with a back channel and a metadata track. */
const camera = `v=0
o=- 1 1 IN IP4 192.168.1.20
s=Media
c=IN IP4 0.0.0.0
t=0 0
a=control:rtsp://192.168.1.20/live/
a=range:npt=0-
m=audio 0 RTP/AVP 8
a=control:backchannel
a=sendonly
m=video 0 RTP/AVP 96
b=AS:4000
a=rtpmap:96 H264/90000
a=fmtp:96 packetization-mode=1;profile-level-id=4d0028;sprop-parameter-sets=Z01AKOygPAET8uAiAAADAAIAAAMAZB4wYyw=,aOvjyyA=
a=control:trackID=1
a=recvonly
m=audio 0 RTP/AVP 97
a=rtpmap:97 MPEG4-GENERIC/16000/1
a=fmtp:97 streamtype=5;profile-level-id=15;mode=AAC-hbr;config=1408;SizeLength=13;IndexLength=3;IndexDeltaLength=3
a=control:trackID=2
m=application 0 RTP/AVP 107
a=rtpmap:107 vnd.onvif.metadata/90000
`.replaceAll('\n', '\r\n')

const withMedia = (...media: string[]): string => ['v=0', 's=-', ...media].join('\r\n')

describe('a session description', () => {
  test('lists its media with their parameters', () => {
    const sdp = parseSdp(camera)
    expect(sdp.control).toBe('rtsp://192.168.1.20/live/')
    expect(
      sdp.media.map(({ kind, payloadType, encoding, clockRate, control, isBackChannel }) => [
        kind,
        payloadType,
        encoding,
        clockRate,
        control,
        isBackChannel,
      ]),
    ).toEqual([
      ['audio', 8, 'PCMA', 8000, 'backchannel', true],
      ['video', 96, 'H264', 90_000, 'trackID=1', false],
      ['audio', 97, 'MPEG4-GENERIC', 16_000, 'trackID=2', false],
      ['application', 107, 'VND.ONVIF.METADATA', 90_000, '*', false],
    ])
    expect(sdp.media[2]?.parameters.get('sizelength')).toBe('13')
  })

  test('with any lines never gives more media than allowed', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom(...camera.split('\r\n')),
      fc
        .tuple(fc.constantFrom('m=', 'a=rtpmap:', 'a=fmtp:', 'a=control:', 'm=video 0 RTP/AVP '), fc.string())
        .map((pair) => pair.join('')),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const sdp = parseSdp(lines.join('\r\n'))
        expect(sdp.media.length).toBeLessThanOrEqual(16)
        for (const media of sdp.media) expect(media.payloadType).toBeLessThanOrEqual(127)
        const choice = chooseMedia(sdp)
        if (choice.ok) expect(choice.value.video.media.kind).toBe('video')
      }),
      { numRuns: 2000, seed: 1 },
    )
  })

  test('with very many media is truncated', () => {
    expect(parseSdp(withMedia(...Array.from({ length: 5000 }, () => 'm=video 0 RTP/AVP 96'))).media).toHaveLength(16)
  })
})

describe('what is played', () => {
  test('the first supported video and sound, never the back channel', () => {
    const choice = chooseMedia(parseSdp(camera))
    expect(choice).toMatchObject({
      ok: true,
      value: {
        video: { media: { control: 'trackID=1' }, parameterSets: [{ length: 26 }, { length: 5 }] },
        audio: { track: { codec: 'aac', sampleRate: 16_000, channels: 1 } },
      },
    })
  })

  test("a picture without sound if the sound isn't supported", () => {
    const choice = chooseMedia(
      parseSdp(
        withMedia('m=video 0 RTP/AVP 96', 'a=rtpmap:96 H265/90000', 'm=audio 0 RTP/AVP 98', 'a=rtpmap:98 G726-32/8000'),
      ),
    )
    expect(choice).toMatchObject({ ok: true, value: { audio: undefined } })
  })

  test.each([
    ['no media', [], 'noVideo'],
    ['only sound', ['m=audio 0 RTP/AVP 0'], 'noVideo'],
    ['JPEG', ['m=video 0 RTP/AVP 26', 'a=rtpmap:26 JPEG/90000'], 'unsupportedCodec'],
    [
      'H.264 interleaved',
      ['m=video 0 RTP/AVP 96', 'a=rtpmap:96 H264/90000', 'a=fmtp:96 packetization-mode=2'],
      'unsupportedCodec',
    ],
    [
      'H.265 with decoding order numbers',
      ['m=video 0 RTP/AVP 96', 'a=rtpmap:96 H265/90000', 'a=fmtp:96 sprop-max-don-diff=2'],
      'unsupportedCodec',
    ],
    ['an unknown codec', ['m=video 0 RTP/AVP 96', 'a=rtpmap:96 H999/90000'], 'unsupportedCodec'],
  ])('%s gets its own error', (_, media, kind) => {
    expect(chooseMedia(parseSdp(withMedia(...media)))).toMatchObject({ ok: false, failure: { kind } })
  })

  test.each([
    ['m=audio 0 RTP/AVP 0', { codec: 'pcmu', sampleRate: 8000 }],
    ['m=audio 0 RTP/AVP 8', { codec: 'pcma', sampleRate: 8000 }],
    ['m=audio 0 RTP/AVP 99\r\na=rtpmap:99 opus/48000/2', { codec: 'opus', sampleRate: 48_000, channels: 2 }],
  ])('%s is supported sound', (audio, track) => {
    const choice = chooseMedia(parseSdp(withMedia('m=video 0 RTP/AVP 96', 'a=rtpmap:96 H264/90000', audio)))
    expect(choice).toMatchObject({ value: { audio: { track } } })
  })
})
