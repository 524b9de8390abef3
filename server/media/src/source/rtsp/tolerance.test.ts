/** What cameras really do, row by row of docs/design/tolerance.md. */
import { describe, expect, test } from 'vitest'
import { footage } from '../../../../../tests/fixtures/footage.ts'
import { packetizeH264, rtpBytes, type SentPacket } from '../../codec/index.ts'
import { type AccessUnit, getPresentationTime, type StreamMessage } from '../../frame/index.ts'
import type { CameraHabits } from '../camera-habits.ts'
import { depacketizeH264, depacketizeH265 } from './depacketize-video.ts'
import { chooseMedia } from './media-choice.ts'
import { NalWriter } from './nal-writer.ts'
import { h264Format } from './parameter-sets.ts'
import { parseRtp } from './rtp-packet.ts'
import { RunTimeline } from './run-timeline.ts'
import { parseSdp } from './sdp.ts'
import { newCounters } from './stream-counters.ts'
import { but, frame, play, wireBytes } from './testing/play-scripted.ts'
import { type CameraRequest, type Script, scriptedCamera, sdp } from './testing/scripted-camera.ts'
import { VideoReader } from './video-reader.ts'

const clip = footage('main.h264')
const pictures = (count: number) => wireBytes(clip.frames.slice(0, count))
const unitsOf = (messages: readonly StreamMessage[]): readonly AccessUnit[] =>
  messages.flatMap((message) => (message.kind === 'unit' ? [message.unit] : []))
const plays = (changes: Parameters<typeof but>[0]): Script => but({ PLAY: { followedBy: pictures(20) }, ...changes })
const noReply = (): undefined => undefined

/** The number of pictures of twenty that arrive from a camera with other replies. */
async function picturesFrom(script: Script, options: Parameters<typeof play>[1] = {}): Promise<number> {
  return unitsOf((await play(script, options)).messages).length
}

describe.concurrent('replies', () => {
  test.each([
    ['501', { status: '501 Not Implemented' }],
    ['405', { status: '405 Method Not Allowed' }],
    ['nothing', noReply],
  ])('OPTIONS answered by %s is no reason to give up', async (_, reply) => {
    expect(await picturesFrom(plays({ OPTIONS: reply }))).toBe(20)
  })

  test.each([
    ['without a scheme', '192.168.1.20/live/', '/live/trackID=1'],
    ['with the scheme twice', 'rtsp://rtsp://192.168.1.20:554/stream1/', '/stream1/trackID=1'],
    ['with a bare IPv6 address', 'rtsp://::ffff:192.168.1.20/profile.1/', '/profile.1/trackID=1'],
  ])('Content-Base %s', async (_, base, path) => {
    const { asked, authority } = await play(plays({ DESCRIBE: { headers: { 'Content-Base': base }, body: sdp() } }))
    expect(asked.find(({ method }) => method === 'SETUP')?.uri).toBe(`${authority}${path}`)
  })

  test.each([
    ['relative', 'trackID=1', '/live/trackID=1'],
    ['absolute', 'rtsp://192.168.1.20/inner/track', '/inner/track'],
    ['a star', '*', '/live'],
    ['with a query', 'track?channel=1&subtype=0', '/live/track?channel=1&subtype=0'],
  ])('a control that is %s', async (_, control, path) => {
    const { asked, authority } = await play(plays({ DESCRIBE: { body: sdp(control) } }))
    expect(asked.find(({ method }) => method === 'SETUP')?.uri).toBe(`${authority}${path}`)
  })

  test('a control before the other attributes', async () => {
    const body = 'v=0\r\ns=-\r\nm=video 0 RTP/AVP 96\r\na=control:first\r\na=rtpmap:96 H264/90000\r\n'
    const { asked, authority } = await play(plays({ DESCRIBE: { body } }))
    expect(asked.find(({ method }) => method === 'SETUP')?.uri).toBe(`${authority}/live/first`)
  })

  test.each([
    ['blanks in the source', 'RTP/AVP/TCP;unicast;interleaved=0-1;ssrc= 0000 0001'],
    ['no TCP', 'RTP/AVP;unicast;interleaved=0-1'],
    ['no channels', 'RTP/AVP/TCP;unicast'],
    ['one channel', 'RTP/AVP/TCP;unicast;interleaved=0'],
    ['a source that the camera does not send from', 'RTP/AVP/TCP;unicast;interleaved=0-1;ssrc=DEADBEEF'],
  ])('Transport with %s', async (_, transport) => {
    const script = but({ SETUP: { headers: { Session: 'abc', Transport: transport } } })
    const isSourceWrong = transport.includes('DEAD')
    const sends: Script = (asked, socket) => {
      // After a while other sources are accepted.
      if (asked.method === 'PLAY') setTimeout(() => socket.write(pictures(20)), isSourceWrong ? 1100 : 10)
      return script(asked, socket)
    }
    expect(await picturesFrom(sends, { timeouts: { silentMs: isSourceWrong ? 1500 : 300 } })).toBe(20)
  })

  test('RTP-Info that ends with a semicolon', async () => {
    const headers = { Session: 'abc', 'RTP-Info': 'url=rtsp://192.168.1.20/live/trackID=1;seq=0;rtptime=0;' }
    expect(await picturesFrom(plays({ PLAY: { headers, followedBy: pictures(20) } }))).toBe(20)
  })

  test('a description of ten megabytes ends the connection before it is read', async () => {
    const { ended } = await play(plays({ DESCRIBE: { headers: { 'Content-Length': '10000000' } } }))
    expect(ended).toEqual({ kind: 'badReply', detail: expect.stringContaining('at most 65536 bytes') })
  })

  test('without User-Agent some cameras answer 401: every request has one', async () => {
    const { asked } = await play(plays({}))
    expect(asked.every(({ headers }) => headers.get('user-agent') === 'Sightline')).toBe(true)
  })
})

describe.concurrent('a redirect', () => {
  const digest = { status: '401 Unauthorized', headers: { 'WWW-Authenticate': 'Digest realm="r", nonce="n"' } }
  const guarded =
    (script: Script): Script =>
    (asked, socket) =>
      asked.headers.has('authorization') ? script(asked, socket) : digest
  const to = (url: string): Script => but({ DESCRIBE: { status: '302 Moved Temporarily', headers: { Location: url } } })
  const credentials = { username: 'admin', password: 'correct horse' }

  test('to another port of the camera is followed, with the password', async () => {
    await using target = await scriptedCamera(guarded(plays({})))
    expect(await picturesFrom(guarded(to(target.url)), { credentials })).toBe(20)
  })

  test('to another host is followed without the password', async () => {
    await using target = await scriptedCamera(guarded(plays({})))
    const elsewhere = target.url.replace('127.0.0.1', 'localhost')
    const { ended } = await play(guarded(to(elsewhere)), { credentials })
    expect(ended.kind).toBe('credentialsIncorrect')
    expect(target.asked.length).toBe(1)
  })

  test('to an address where no camera is allowed is refused', async () => {
    expect((await play(to('rtsp://192.0.2.1/live'))).ended.kind).toBe('addressRefused')
  })

  test('in a circle ends', async () => {
    const script: Script = (asked, socket) =>
      to(`${new URL(asked.uri).origin.replace('null', '')}${asked.uri}`)(asked, socket)
    expect((await play(script)).ended.kind).toBe('redirected')
  })
})

describe.concurrent('keep-alive', () => {
  const short = (asked: CameraRequest) => ({
    headers: { Session: 'abc;timeout=2', Transport: asked.headers.get('transport') ?? '' },
  })

  test.each(['400 Bad Request', '405 Method Not Allowed', '454 Session Not Found', '501 Not Implemented'])(
    'GET_PARAMETER answered by %s is replaced by OPTIONS, also on the next connection',
    async (status) => {
      const habits: CameraHabits = {}
      const camera = but({ SETUP: short, GET_PARAMETER: { status } })
      const { asked } = await play(camera, { timeouts: { silentMs: 2500 }, habits })
      expect(asked.slice(4, 6).map(({ method }) => method)).toEqual(['GET_PARAMETER', 'OPTIONS'])
      expect(habits).toMatchObject({ keepAlive: 'OPTIONS' })
    },
  )

  test('without a reply is no fault', async () => {
    const { ended } = await play(but({ SETUP: short, GET_PARAMETER: noReply }), { timeouts: { silentMs: 2500 } })
    expect(ended.kind).toBe('silent')
  })

  test('comes with receiver reports, inside the connection too', async () => {
    const sent: Buffer[] = []
    const script: Script = (asked, socket) => {
      if (asked.method === 'SETUP') socket.on('data', (data) => sent.push(data))
      return plays({})(asked, socket)
    }
    await play(script, { timeouts: { silentMs: 800, reportMs: 200 } })
    const report = sent.find((data) => data[0] === 0x24) ?? Buffer.alloc(0)
    expect([report[1], report[5]]).toEqual([1, 201])
    expect(report.readUInt32BE(12)).toBe(1)
  })
})

describe('packets', () => {
  test('on channels that were not set up are ignored', async () => {
    const stray = frame(9, new Uint8Array(20))
    const followedBy = Buffer.concat([stray, pictures(10), stray, pictures(10)])
    expect(await picturesFrom(plays({ PLAY: { followedBy } }))).toBeGreaterThanOrEqual(10)
  })

  test('of an earlier session are ignored if the camera announced its source', async () => {
    const old = frame(
      0,
      rtpBytes({ payloadType: 96, sequence: 9, timestamp: 7, ssrc: 0xb_ad, marker: true }, Buffer.of(1)),
    )
    const all = pictures(20)
    const cut =
      all.indexOf(
        frame(0, rtpBytes({ payloadType: 96, sequence: 0, timestamp: 0, ssrc: 1, marker: false }, Buffer.of())),
      ) + 1
    const setup = { headers: { Session: 'abc', Transport: 'RTP/AVP/TCP;interleaved=0-1;ssrc=00000001' } }
    const followedBy = Buffer.concat([old, all.subarray(0, Math.max(cut, 0)), old, all.subarray(Math.max(cut, 0)), old])
    const { messages, counters } = await play(plays({ SETUP: setup, PLAY: { followedBy } }))
    expect([unitsOf(messages).length, counters.lostPackets]).toEqual([20, 0])
  })

  /** The clip's pictures as packets, changed one by one. */
  function read(change: (packets: readonly SentPacket[], picture: number) => readonly Partial<RtpFieldsOf>[]) {
    const counters = newCounters()
    const units: AccessUnit[] = []
    const timeline = new RunTimeline(counters, 0).track('video', 90_000)
    const reader = new VideoReader({
      format: h264Format,
      parameterSets: [],
      timeline,
      counters,
      picture: (unit) => units.push(unit),
    })
    let sequence = 0
    for (const [picture, { units: nals }] of clip.frames.slice(0, 60).entries()) {
      for (const sent of change(packetizeH264(nals, 400), picture)) {
        const fields = {
          payloadType: 96,
          sequence: sequence++,
          timestamp: picture * 3600,
          ssrc: 1,
          marker: false,
          ...sent,
        }
        const packet = parseRtp(rtpBytes(fields, sent.payload ?? Buffer.alloc(0)))
        if (packet === undefined) continue
        if (packet.payloadType === 96) reader.packet(packet, { wallClock: 0, monotonic: picture * 40 })
        else reader.skip(packet)
      }
    }
    return { units, counters }
  }
  interface RtpFieldsOf extends SentPacket {
    readonly payloadType: number
    readonly timestamp: number
    readonly sequence: number
  }
  const WHOLE = { lostPackets: 0, droppedPictures: 0, badPackets: 0 }
  const hex = (unit: AccessUnit | undefined): string[] =>
    (unit?.units ?? []).map((nal) => Buffer.from(nal).toString('hex'))
  const sentHex = (picture: number): string[] =>
    (clip.frames[picture]?.units ?? []).map((nal) => Buffer.from(nal).toString('hex'))

  test('without content are only a number', () => {
    const { units, counters } = read((packets) => packets.flatMap((packet) => [packet, { payload: Buffer.alloc(0) }]))
    expect([units.length, counters]).toMatchObject([60, WHOLE])
    expect(hex(units[30])).toEqual(sentHex(30))
  })

  test('of an unknown type in the number space are no loss', () => {
    const { units, counters } = read((packets) =>
      packets.flatMap((packet) => [packet, { payloadType: 107, payload: Buffer.of(1, 2) }]),
    )
    expect([units.length, counters]).toMatchObject([60, WHOLE])
  })

  test('of an unknown type that repeat a number are no loss either', () => {
    let sequence = 0
    const { units, counters } = read((packets) =>
      packets.flatMap((packet) => [
        { ...packet, sequence: sequence++ },
        { payloadType: 50, sequence: sequence - 1, payload: Buffer.of(1) },
      ]),
    )
    expect([units.length, counters]).toMatchObject([60, WHOLE])
  })

  test('of two pictures with one timestamp stay two pictures, one after the other', () => {
    const { units, counters } = read((packets, picture) =>
      packets.map((packet) => ({ ...packet, timestamp: (picture >> 1) * 7200 })),
    )
    expect([units.length, counters]).toMatchObject([60, WHOLE])
    expect(units.map((unit) => hex(unit))).toEqual(units.map((_, picture) => sentHex(picture)))
    for (const [index, unit] of units.entries())
      if (index > 0)
        expect(getPresentationTime(unit)).toBeGreaterThan(getPresentationTime(units[index - 1] as AccessUnit))
  })

  test('with the marker on messages before a picture change nothing', () => {
    const sei = Buffer.from('0605ff00', 'hex')
    const { units, counters } = read((packets) => [{ payload: sei, marker: true }, ...packets])
    expect([units.length, counters]).toMatchObject([59, WHOLE])
    expect(hex(units[30])).toEqual(['0605ff00', ...sentHex(30)])
  })

  test('with fragments of other types, or without content, within one unit', () => {
    const { units, counters } = read((packets) =>
      packets.flatMap((packet): readonly Partial<RtpFieldsOf>[] => {
        const isFragment = (packet.payload[0] ?? 0) % 32 === 28
        if (!isFragment || (packet.payload[1] ?? 0) >= 0x40) return [packet]
        const other = Uint8Array.from(packet.payload).with(1, 0x0c)
        return [{ ...packet, payload: other }, { payload: other.slice(0, 2) }]
      }),
    )
    expect([units.length, counters]).toMatchObject([60, WHOLE])
    expect(hex(units[0])).toEqual(sentHex(0))
  })

  test.each([
    ['two hours ahead', 7200],
    ['ten minutes back', -600],
  ])('whose clock jumps %s lose nothing, and the jump is reported', (_, seconds) => {
    const { units, counters } = read((packets, picture) =>
      packets.map((packet) => ({
        ...packet,
        timestamp: (1e9 + (picture + (picture < 30 ? 0 : seconds * 25)) * 3600) >>> 0,
      })),
    )
    expect([units.length, counters]).toMatchObject([60, { ...WHOLE, clockJumps: 1 }])
    expect(units.flatMap((unit, index) => (unit.followsJump === true ? [index] : []))).toEqual([30])
    expect((units[30]?.time ?? 0) - (units[29]?.time ?? 0)).toBe(3600)
  })

  test('with new parameter sets in the middle of a group of pictures lose nothing', () => {
    const other = footage('high.h264').frames[0]?.units[0] ?? Buffer.alloc(0)
    const { units, counters } = read((packets, picture) => (picture === 5 ? [{ payload: other }, ...packets] : packets))
    expect([units.length, counters]).toMatchObject([60, WHOLE])
  })
})

describe('units', () => {
  const split = (depacketize: typeof depacketizeH264, payload: string): readonly string[] | undefined => {
    const writer = new NalWriter()
    const isSound = depacketize(Buffer.from(payload, 'hex'), writer)
    return isSound ? writer.units.map((unit) => Buffer.from(unit).toString('hex')) : undefined
  }

  test('with start codes are recognized', () => {
    expect(split(depacketizeH264, '0000000167420a0000000168ce0000016588aa')).toEqual(['67420a', '68ce', '6588aa'])
    expect(split(depacketizeH264, '67420a0000000168ce')).toEqual(['67420a', '68ce'])
    expect(split(depacketizeH265, '00000140010c0000014201')).toEqual(['40010c', '4201'])
  })

  test('of no length in a packet of several are left out', () => {
    expect(split(depacketizeH264, '7800000002674200000002680a')).toEqual(['6742', '680a'])
    expect(split(depacketizeH265, '60010000000340010c')).toEqual(['40010c'])
  })

  test('bytes after a parameter set are kept as they came', () => {
    expect(split(depacketizeH264, '67420a00')).toEqual(['67420a00'])
  })
})

describe('descriptions', () => {
  test('with several payload types: the first that is known is played', () => {
    const text = sdp().replace('RTP/AVP 96\r\n', 'RTP/AVP 35 99 96\r\na=rtpmap:99 RTX/90000\r\n')
    expect(chooseMedia(parseSdp(text))).toMatchObject({ ok: true, value: { video: { media: { payloadType: 96 } } } })
  })

  test('with two videos: the first that is known is played', () => {
    const text = `${sdp('first').replace('H264', 'JPEG')}${sdp('second').slice(sdp().indexOf('m='))}${sdp('third').slice(sdp().indexOf('m='))}`
    expect(chooseMedia(parseSdp(text))).toMatchObject({ ok: true, value: { video: { media: { control: 'second' } } } })
  })

  test('without parameter sets: those in the pictures are enough', async () => {
    expect(sdp()).not.toContain('sprop')
    expect(await picturesFrom(plays({}))).toBe(20)
  })
})

test('a camera that sends one key picture and no other is connected again for another one', async () => {
  const { ended } = await play(plays({}), { timeouts: { silentMs: 2000, nextKeyMs: 700 } })
  expect(ended).toMatchObject({ kind: 'noVideo', detail: expect.stringContaining('keyframe') })
})
