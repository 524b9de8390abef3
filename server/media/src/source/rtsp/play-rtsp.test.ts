import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { footage } from '../../../../../tests/fixtures/footage.ts'
import { rtpBytes } from '../../codec/index.ts'
import { checkedConnect } from '../camera-address.ts'
import { playRtsp } from './play-rtsp.ts'
import { parseRtspAddress } from './rtsp-address.ts'
import { newCounters } from './stream-counters.ts'
import { but, connect, frame, play, wireBytes } from './testing/play-scripted.ts'
import {
  type CameraRequest,
  type Script,
  type ScriptedReply,
  scriptedCamera,
  sdp,
  wellBehaved,
} from './testing/scripted-camera.ts'

/** The first pictures of a clip. */
const pictures = (count: number, channel?: number) => wireBytes(footage('main.h264').frames.slice(0, count), channel)
const credentials = { username: 'admin', password: 'correct horse' }

const refusesSound = (asked: CameraRequest): ScriptedReply =>
  asked.uri.endsWith('2') ? { status: '461 Unsupported Transport' } : wellBehaved(asked)

const silence = (): undefined => undefined

const closes: Script = (asked, socket) => {
  if (asked.method === 'PLAY') socket.end()
  return wellBehaved(asked)
}

describe('a session', () => {
  test('sends requests in order, and publishes tracks before the first picture', async () => {
    const { asked, messages, authority, ended } = await play(but({ PLAY: { followedBy: pictures(20) } }))
    expect(asked.map(({ method, uri }) => `${method} ${uri.replace(authority, '')}`)).toEqual([
      'OPTIONS /live',
      'DESCRIBE /live',
      'SETUP /live/trackID=1',
      'PLAY /live',
    ])
    expect(asked[2]?.headers.get('transport')).toBe('RTP/AVP/TCP;unicast;interleaved=0-1')
    expect(asked[3]?.headers.get('session')).toBe('abc')
    expect(messages.map((message) => message.kind).slice(0, 3)).toEqual(['tracks', 'unit', 'unit'])
    expect(messages.length).toBe(21)
    expect(ended.kind).toBe('silent')
  })

  test('ends with TEARDOWN when it is stopped', async () => {
    await using camera = await scriptedCamera(but({ PLAY: { followedBy: pictures(5) } }))
    const address = parseRtspAddress(camera.url)
    if (!address.ok) throw new Error(address.failure.detail)
    const stop = new AbortController()
    const publish = (): void => void setTimeout(() => stop.abort(), 10)
    const counters = newCounters()
    const ended = await playRtsp({ address: address.value, connect, signal: stop.signal, counters, publish })
    expect(ended).toEqual({ kind: 'closed', detail: 'stopped by the server' })
    await expect.poll(() => camera.asked.at(-1)?.method).toBe('TEARDOWN')
    expect(camera.asked.at(-1)?.headers.get('session')).toBe('abc')
  })

  test('is kept alive at half the session timeout, with a method that the camera supports', async () => {
    const slow = { timeouts: { silentMs: 2500 } }
    const session = { headers: { Session: 'abc;timeout=2', Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1' } }
    const [known, unknown] = await Promise.all([
      play(but({ SETUP: session }), slow),
      play(but({ SETUP: session, OPTIONS: { headers: { Public: 'OPTIONS, PLAY' } } }), slow),
    ])
    expect(known.asked.filter(({ method }) => method === 'GET_PARAMETER').length).toBe(2)
    expect(unknown.asked.filter(({ method }) => method === 'OPTIONS').length).toBe(3)
  })

  test('uses the channels that the camera chose', async () => {
    const { messages } = await play(
      but({
        SETUP: { headers: { Session: 'abc', Transport: 'RTP/AVP/TCP;interleaved=6-7' } },
        PLAY: { followedBy: pictures(5, 6) },
      }),
    )
    expect(messages.length).toBeGreaterThan(1)
  })

  test('continues without sound if the camera refuses it', async () => {
    const withSound = `${sdp()}m=audio 0 RTP/AVP 8\r\na=control:trackID=2\r\n`
    const { messages } = await play(
      but({
        DESCRIBE: { body: withSound },
        SETUP: refusesSound,
        PLAY: { followedBy: pictures(5) },
      }),
    )
    expect(messages[0]).toMatchObject({ kind: 'tracks', tracks: [{ kind: 'video' }] })
  })

  test.each([
    ['another host', 'rtsp://10.0.0.1:9/inner/track', '/inner/track'],
    ['the same host', 'track', '/live/track'],
  ])('stays on the checked host whatever the session description names: %s', async (_, control, path) => {
    const { asked, authority } = await play(
      but({ DESCRIBE: { headers: { 'Content-Base': 'rtsp://evil.example/live/' }, body: sdp(control) } }),
    )
    expect(asked.find(({ method }) => method === 'SETUP')?.uri).toBe(`${authority}${path}`)
  })
})

describe('authentication', () => {
  const hash = (text: string): string => createHash('md5').update(text).digest('hex')

  /** Accepts requests that use the current nonce; `change` may set another one before each request. */
  function guarded(change: (asked: CameraRequest, nonce: number) => number): Script {
    let nonce = 1
    return (asked) => {
      nonce = change(asked, nonce)
      const given = asked.headers.get('authorization') ?? ''
      const answered = /nonce="(\d+)"/.exec(given)?.[1]
      const expected = hash(`${hash('admin:r:correct horse')}:${answered}:${hash(`${asked.method}:${asked.uri}`)}`)
      if (answered === String(nonce) && given.includes(`response="${expected}"`)) return wellBehaved(asked)
      const stale = answered === undefined || answered === String(nonce) ? '' : ', stale=true'
      return {
        status: '401 Unauthorized',
        headers: { 'WWW-Authenticate': `Digest realm="r", nonce="${nonce}"${stale}` },
      }
    }
  }

  test('a stale nonce is answered again with the new one', async () => {
    const { ended, asked } = await play(
      guarded((one, nonce) => (one.method === 'SETUP' && nonce === 1 ? 2 : nonce)),
      { credentials },
    )
    expect(ended.kind).toBe('silent')
    expect(asked.map(({ method }) => method)).toEqual(['OPTIONS', 'OPTIONS', 'DESCRIBE', 'SETUP', 'SETUP', 'PLAY'])
  })

  test('a camera that calls every nonce stale is given up', async () => {
    const { ended, asked } = await play(
      guarded((_, nonce) => nonce + 1),
      { credentials },
    )
    expect(ended.kind).toBe('credentialsIncorrect')
    expect(asked.length).toBe(3)
  })

  test.each([
    ['no credentials', undefined],
    ['a wrong password', { ...credentials, password: 'wrong horse' }],
    ['a wrong name', { ...credentials, username: 'guest' }],
  ])('%s is reported as incorrect credentials, without the password', async (_, given) => {
    const { ended } = await play(
      guarded((_asked, nonce) => nonce),
      given === undefined ? {} : { credentials: given },
    )
    expect(ended.kind).toBe('credentialsIncorrect')
    expect(ended.detail).not.toContain('horse')
  })

  test("basic isn't used unless it is allowed", async () => {
    const basic: Script = (asked) =>
      asked.headers.get('authorization') === `Basic ${Buffer.from('admin:correct horse').toString('base64')}`
        ? wellBehaved(asked)
        : { status: '401 Unauthorized', headers: { 'WWW-Authenticate': 'Basic realm="r"' } }
    const refused = await play(basic, { credentials })
    expect(refused.ended).toMatchObject({ kind: 'authenticationUnsupported', detail: expect.stringContaining('basic') })
    expect(refused.asked.every(({ headers }) => !headers.has('authorization'))).toBe(true)
    const allowed = await play(basic, { credentials, allowBasic: true })
    expect(allowed.ended.kind).toBe('silent')
  })
})

describe('a camera fault is reported by kind when the camera', () => {
  const answers = (changes: Parameters<typeof but>[0]): Script => but(changes)

  test.each<[string, Script, string]>([
    ['answers nothing', () => undefined, 'timeout'],
    ['answers nothing to PLAY', answers({ PLAY: silence }), 'timeout'],
    ['closes after PLAY', closes, 'closed'],
    ["doesn't know the stream", answers({ DESCRIBE: { status: '404 Not Found' } }), 'streamNotFound'],
    ['serves no more viewers', answers({ SETUP: { status: '453 Not Enough Bandwidth' } }), 'busy'],
    ['is overloaded', answers({ DESCRIBE: { status: '503 Service Unavailable' } }), 'busy'],
    ['breaks the protocol', answers({ DESCRIBE: { status: '500 Internal Server Error' } }), 'badReply'],
    ['redirects without a location', answers({ DESCRIBE: { status: '302 Moved' } }), 'redirected'],
    ['has no description', answers({ DESCRIBE: { body: 'hello' } }), 'noVideo'],
    [
      'has JPEG only',
      answers({ DESCRIBE: { body: 'm=video 0 RTP/AVP 26\r\na=rtpmap:26 JPEG/90000\r\n' } }),
      'unsupportedCodec',
    ],
    ['gives no session', answers({ SETUP: { headers: { Transport: 'RTP/AVP/TCP;interleaved=0-1' } } }), 'badReply'],
    ['refuses every transport', answers({ SETUP: { status: '461 Unsupported Transport' } }), 'transportUnsupported'],
    ['sends nothing', wellBehaved, 'silent'],
    [
      "sends only on a channel that isn't open",
      answers({ PLAY: { followedBy: frame(9, new Uint8Array(20)) } }),
      'silent',
    ],
    ["sends something that isn't a packet", answers({ PLAY: { followedBy: Buffer.alloc(1000, 0x00) } }), 'desync'],
    [
      "sends frames that aren't RTP",
      answers({ PLAY: { followedBy: Buffer.concat(Array.from({ length: 10 }, () => frame(0, new Uint8Array(20)))) } }),
      'desync',
    ],
    [
      'sends an endless header',
      (_, socket) => void socket.write('RTSP/1.0 200 OK\r\nX: '.padEnd(70_000, 'x')),
      'badReply',
    ],
  ])('%s', async (_, script, kind) => {
    expect((await play(script)).ended.kind).toBe(kind)
  })

  test('sends pictures that can never be decoded', async () => {
    let sending: NodeJS.Timeout | undefined
    let sequence = 0
    const script: Script = (asked, socket) => {
      if (asked.method === 'PLAY') {
        sending = setInterval(() => {
          const fields = { payloadType: 96, sequence: sequence++, timestamp: sequence * 3600, ssrc: 1, marker: true }
          socket.write(frame(0, rtpBytes(fields, Uint8Array.of(0x41, 0x9a, 0x38))))
        }, 20)
      }
      return wellBehaved(asked)
    }
    const { ended, messages } = await play(script)
    clearInterval(sending)
    expect(ended.kind).toBe('noVideo')
    expect(messages).toEqual([])
  })

  test('is at an address where no camera is allowed', async () => {
    const { ended } = await play(wellBehaved, { connect: checkedConnect({ allowed: [] }) })
    expect(ended.kind).toBe('addressRefused')
  })
})

test('any reply of a camera ends in a fault, and soon', async () => {
  const say = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom(
      'abc;timeout=1',
      'RTP/AVP/TCP;interleaved=0-1',
      'Digest realm="r", nonce="n"',
      sdp(),
      '200 OK',
      '401 No',
    ),
  )
  const answer = fc.record({
    status: fc.oneof(fc.constant('200 OK'), say),
    headers: fc.dictionary(
      fc.constantFrom('Session', 'Transport', 'WWW-Authenticate', 'Content-Base', 'Content-Length', 'Public'),
      say,
    ),
    body: say,
    followedBy: fc.uint8Array({ maxLength: 100 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom('OPTIONS', 'DESCRIBE', 'SETUP', 'PLAY'), answer),
      async (changes) => {
        const { ended } = await play(but(changes), {
          credentials,
          timeouts: { replyMs: 30, silentMs: 30, firstPictureMs: 60 },
        })
        expect(ended.detail.length).toBeGreaterThan(0)
        expect(ended.detail).not.toMatch(/[\r\n]|horse/)
      },
    ),
    { numRuns: 60, seed: 1 },
  )
})
