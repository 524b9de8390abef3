import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../../../tests/fixtures/rtsp-client.ts'
import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { createHub } from '../hub/index.ts'
import { depacketizeAac } from '../source/rtsp/depacketize-audio.ts'
import { depacketizeH265 } from '../source/rtsp/depacketize-video.ts'
import { NalWriter } from '../source/rtsp/nal-writer.ts'
import { parseRtp, parseSenderReport } from '../source/rtsp/rtp-packet.ts'
import { parseSdp } from '../source/rtsp/sdp.ts'
import type { RtspOptions } from './index.ts'
import { RequestReader } from './request-reader.ts'

const VIDEO: TrackConfig = {
  kind: 'video',
  codec: 'h265',
  codecString: 'hvc1.1.6.L93.B0',
  width: 640,
  height: 360,
  parameterSets: [Uint8Array.of(0x40, 1, 7), Uint8Array.of(0x42, 1, 8), Uint8Array.of(0x44, 1, 9)],
}
const SOUND: TrackConfig = {
  kind: 'audio',
  codec: 'aac',
  codecString: 'mp4a.40.2',
  sampleRate: 16_000,
  channels: 1,
  config: Uint8Array.of(0x14, 0x08),
}
const picture = (time: number, bytes: number): AccessUnit => ({
  kind: 'video',
  time,
  wallClock: 1_800_000_000_000 + time / 90,
  isKey: time === 0,
  units: [Buffer.concat([Uint8Array.of(time === 0 ? 0x26 : 0x02, 1), new Uint8Array(bytes).fill(5)])],
})
const frame = (time: number): AccessUnit => ({
  kind: 'audio',
  time,
  wallClock: 1_800_000_000_000 + time / 90,
  isKey: true,
  units: [new Uint8Array(3000).fill(9)],
})

const URL_WITH_TICKET = 'rtsp://video.example:554/stream/rtsp/open?camera_id=1&ticket=secret'

function stream(hears = true) {
  const hub = createHub()
  const ending = new AbortController()
  hub.publish({ kind: 'tracks', tracks: [VIDEO, SOUND] })
  hub.publish({ kind: 'unit', track: 0, unit: picture(0, 5000) })
  hub.publish({ kind: 'unit', track: 1, unit: frame(100) })
  const nothing = { status: 503, json: '{"code":18}' }
  return { opened: { hub, hears, signal: ending.signal, nothing }, hub, ending }
}

test('H.265 and AAC arrive as they were sent, from the running group of pictures on, with reports of when they were', async () => {
  const { opened } = stream()
  const { ask, packet } = connect(opened)
  const described = await ask('DESCRIBE', URL_WITH_TICKET)
  const { media } = parseSdp(described.body)
  expect(media.map(({ encoding }) => encoding)).toEqual(['H265', 'MPEG4-GENERIC'])
  expect(media[0]?.parameters.get('sprop-sps')).toBe(Buffer.of(0x42, 1, 8).toString('base64'))
  expect(media[1]?.parameters.get('config')).toBe('1408')
  expect(described.head + described.body).not.toContain('secret')
  for (const [at, { control }] of media.entries()) {
    const set = await ask('SETUP', control, `Transport: RTP/AVP/TCP;unicast;interleaved=${at * 2}-${at * 2 + 1}\r\n`)
    expect(set.status).toBe(200)
  }
  expect((await ask('PLAY', URL_WITH_TICKET)).status).toBe(200)

  const report = parseSenderReport((await packet()).bytes)
  expect(report?.cameraClock).toBeCloseTo(1_800_000_000_000, 0)
  const writer = new NalWriter()
  for (let isLast = false; !isLast; ) {
    const rtp = parseRtp((await packet()).bytes)
    if (rtp === undefined) throw new Error('no RTP')
    expect(rtp.timestamp).toBe(report?.timestamp)
    expect(depacketizeH265(rtp.payload, writer)).toBe(true)
    isLast = rtp.marker
  }
  expect(writer.units.map((unit) => Uint8Array.from(unit))).toEqual(
    picture(0, 5000).units.map((unit) => Uint8Array.from(unit)),
  )

  expect((await packet()).channel).toBe(3)
  const depacketize = depacketizeAac({ sizeLength: 13, indexLength: 3, indexDeltaLength: 3 })
  const frames = []
  while (frames.length === 0)
    frames.push(...(depacketize?.(parseRtp((await packet()).bytes)?.payload ?? Buffer.of()) ?? []))
  expect(frames.map(({ bytes }) => Uint8Array.from(bytes))).toEqual(frame(100).units)
})

test('without the right microphone there is no sound, and no word of it', async () => {
  const { ask } = connect(stream(false).opened)
  expect(parseSdp((await ask('DESCRIBE', URL_WITH_TICKET)).body).media.map(({ kind }) => kind)).toEqual(['video'])
})

test('UDP, tracks that don’t exist, and what comes too early are refused', async () => {
  const { ask } = connect(stream().opened)
  expect((await ask('OPTIONS', '*')).head).toContain('Public: OPTIONS, DESCRIBE')
  expect((await ask('PLAY', URL_WITH_TICKET)).status).toBe(455)
  expect((await ask('SETUP', 'rtsp://a/stream/rtsp/track0')).status).toBe(455)
  await ask('DESCRIBE', URL_WITH_TICKET)
  expect((await ask('SETUP', 'rtsp://a/track0', 'Transport: RTP/AVP;unicast;client_port=4-5\r\n')).status).toBe(461)
  expect((await ask('SETUP', 'rtsp://a/track7', 'Transport: RTP/AVP/TCP\r\n')).status).toBe(404)
  expect((await ask('RECORD', URL_WITH_TICKET)).status).toBe(405)
  expect((await ask('GET_PARAMETER', URL_WITH_TICKET, 'Session: other\r\n')).status).toBe(454)
})

test('a refusal says why', async () => {
  const { ask, served } = connect({ status: 403, json: '{"code":9}' })
  expect(await ask('DESCRIBE', URL_WITH_TICKET)).toMatchObject({ status: 403, body: '{"code":9}' })
  // Who guesses has to connect again.
  await served
})

test('the connection ends with the permission', async () => {
  const { opened, ending, hub } = stream()
  const { ask, served } = connect(opened)
  await ask('DESCRIBE', URL_WITH_TICKET)
  await ask('SETUP', 'rtsp://a/track0', 'Transport: RTP/AVP/TCP\r\n')
  await ask('PLAY', URL_WITH_TICKET)
  ending.abort(9)
  await served
  expect(hub.readers).toBe(0)
})

describe('a client that', () => {
  /** Playing its picture. */
  async function playing(limits: RtspOptions['limits']) {
    const { opened, hub } = stream()
    const connection = connect(opened, limits)
    await connection.ask('DESCRIBE', URL_WITH_TICKET)
    const set = await connection.ask('SETUP', 'rtsp://a/track0', 'Transport: RTP/AVP/TCP\r\n')
    await connection.ask('PLAY', URL_WITH_TICKET)
    return { ...connection, hub, set }
  }
  const soon = (served: Promise<void>, ms: number) =>
    Promise.race([served.then(() => 'ended'), sleep(ms, 'still there')])

  test('sends nothing for 60 seconds is gone; a report or a request keeps its session', async () => {
    const { client, served, hub, set } = await playing({ silentMs: 400 })
    expect(set.head).toMatch(/Session: [0-9a-f]{24};timeout=60/)
    const report = Buffer.from([0x24, 1, 0, 8, 0x80, 201, 0, 1, 0, 0, 0, 1])
    for (const bytes of [report, `GET_PARAMETER ${URL_WITH_TICKET} RTSP/1.0\r\nCSeq: 9\r\n\r\n`, report]) {
      client.write(bytes)
      expect(await soon(served, 250)).toBe('still there')
    }
    expect(await soon(served, 1000)).toBe('ended')
    expect(hub.readers).toBe(0)
  })

  test('plays nothing is sent away', async () => {
    const { ask, served } = connect(stream().opened, { playsWithinMs: 100 })
    await ask('DESCRIBE', URL_WITH_TICKET)
    expect(await soon(served, 1000)).toBe('ended')
  })

  test('takes nothing is gone', async () => {
    const { client, served, hub } = await playing({ stalledMs: 200 })
    client.pause()
    for (let time = 0; time < 90_000; time += 3600) hub.publish({ kind: 'unit', track: 0, unit: picture(time, 50_000) })
    expect(await soon(served, 2000)).toBe('ended')
    expect(hub.readers).toBe(0)
  })

  test('takes little at a time, but something, gets everything', async () => {
    const { client, served, hub, packet } = await playing({ stalledMs: 300 })
    client.pause()
    const wanted = picture(0, 2_000_000)
    hub.publish({ kind: 'unit', track: 0, unit: wanted })
    const reading = setInterval(() => client.read(Math.min(32_768, client.readableLength)), 20)
    onTestFinished(() => clearInterval(reading))
    const writer = new NalWriter()
    for (let pictures = 0; pictures < 2; ) {
      const { channel, bytes } = await packet()
      const rtp = channel === 0 ? parseRtp(bytes) : undefined
      if (rtp === undefined) continue
      depacketizeH265(rtp.payload, writer)
      if (rtp.marker) pictures++
    }
    expect(writer.units.at(-1)?.length).toBe(wanted.units[0]?.length)
    expect(await soon(served, 100)).toBe('still there')
  })

  test('asks again and again and plays nothing is gone', async () => {
    const { client, served } = connect(stream().opened)
    client.write('A a RTSP/1.0\r\n\r\n'.repeat(1000))
    expect(await soon(served, 1000)).toBe('ended')
  })

  test('asks and takes no answers is gone, and few answers wait for it', async () => {
    const { client, served, server } = await playing({ stalledMs: 300 })
    client.pause()
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, server.writableLength)), 1)
    onTestFinished(() => clearInterval(watch))
    const ask = () => client.destroyed || client.write('A a RTSP/1.0\r\n\r\n'.repeat(1000), ask)
    ask()
    expect(await soon(served, 3000)).toBe('ended')
    expect(most).toBeLessThan(200_000)
  })

  test('leaves in order, or sends what can’t be read, is let go', async () => {
    const leaving = await playing({})
    await leaving.ask('TEARDOWN', URL_WITH_TICKET)
    expect(await soon(leaving.served, 1000)).toBe('ended')
    const unreadable = connect(stream().opened)
    expect((await unreadable.ask('GET', '/', 'Host a\r\n')).status).toBe(400)
    expect(await soon(unreadable.served, 1000)).toBe('ended')
  })
})

describe('what clients send', () => {
  const text = `DESCRIBE ${URL_WITH_TICKET} RTSP/1.0\r\nCSeq: 1\r\nContent-Length: 2\r\n\r\nab$\u0001\u0000\u0002cdOPTIONS * RTSP/1.0\r\n\r\n`

  test('is the same in pieces of any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), (size) => {
        const reader = new RequestReader()
        const bytes = Buffer.from(text, 'latin1')
        const methods: string[] = []
        for (let at = 0; at < bytes.length; at += size)
          methods.push(...(reader.feed(bytes.subarray(at, at + size)) ?? []).map(({ method }) => method))
        expect(methods).toEqual(['DESCRIBE', 'OPTIONS'])
      }),
    )
  })

  test('breaks nothing, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(text.length - 1), fc.nat(255)), { maxLength: 8 }), (changes) => {
        const bytes = Buffer.from(text, 'latin1')
        for (const [at, byte] of changes) bytes[at] = byte
        const requests = new RequestReader().feed(bytes)
        expect(requests === undefined || requests.length <= 3).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('is refused beyond 8 KiB', () => {
    expect(new RequestReader().feed(Buffer.alloc(8300, 'A'))).toBeUndefined()
    expect(new RequestReader().feed(Buffer.of(0x24, 0, 0xff, 0xff))).toBeUndefined()
  })
})
