import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { connect } from '../../../../tests/fixtures/rtsp-client.ts'
import {
  at,
  FAST,
  header,
  NPT_0,
  ONVIF,
  playRecording,
  readPictures,
  recordedStore,
  steps,
  TARGET,
} from '../../../../tests/fixtures/rtsp-recording.ts'
import { createHub } from '../hub/index.ts'
import { removeTemporaryFolders, TEN_THIRTY } from '../recording/recording-stage.ts'
import { parseRtp, parseSenderReport } from '../source/rtsp/rtp-packet.ts'

let store: string
beforeAll(async () => {
  store = await recordedStore()
})
afterAll(removeTemporaryFolders)

test('the description names the range in seconds and by the clock', async () => {
  const { described } = await playRecording({ store, fromMs: 3000, tillMs: 12_000 })
  expect(described.body).toContain('s=Recording')
  for (const track of ['VIDEO001', 'AUDIO001']) expect(described.body).toContain(`a=x-onvif-track:${track}\r\n`)
  // It begins with the key picture before.
  expect(described.body).toContain('a=range:npt=0.000-10.000')
  expect(described.body).toContain(`a=range:clock=${at(2000)}-${at(12_000)}`)
})

test('where nothing was recorded there is nothing to describe', async () => {
  const { described } = await playRecording({ store, fromMs: 100_000, tillMs: 110_000 })
  expect(described).toMatchObject({ status: 404, body: '{"code":4}' })
})

test('as fast as the client takes it, every picture of the range comes once, and then the end', async () => {
  const client = await playRecording({ store, tillMs: 20_000 })
  const begun = performance.now()
  const { head } = await client.ask('PLAY', TARGET, `${NPT_0}${FAST}`)
  expect(header(head, 'Range')).toBe('npt=0.000-20.000')
  expect(header(head, 'Rate-Control')).toBe('no')
  const [, seq, rtptime] = /track0;seq=(\d+);rtptime=(\d+),url=\S+track1/.exec(header(head, 'RTP-Info') ?? '') ?? []
  const seen = await readPictures(client)
  expect(performance.now() - begun).toBeLessThan(5000)
  expect(seen).toHaveLength(500)
  expect(seen[0]).toMatchObject({ timestamp: Number(rtptime), sequence: Number(seq) })
  expect(new Set(steps(seen))).toEqual(new Set([3600]))
})

test('a report says when a picture was taken', async () => {
  const { ask, packet } = await playRecording({ store })
  await ask('PLAY', TARGET, `Range: clock=${at(9000)}-\r\n`)
  expect(parseSenderReport((await packet()).bytes)?.cameraClock).toBeCloseTo(TEN_THIRTY + 8000, 0)
})

describe('PLAY', () => {
  test.each([
    ['by the clock', `clock=${at(9000)}-${at(11_000)}`, `clock=${at(8000)}-${at(11_000)}`, 75],
    ['in seconds', 'npt=9-11', 'npt=8.000-11.000', 75],
    ['in hours, minutes and seconds', 'npt=0:00:09.0-0:00:11', 'npt=8.000-11.000', 75],
    ['with a beginning beyond the gap', 'npt=25-62', 'npt=60.000-62.000', 50],
  ])('%s begins with the key picture before and says so', async (_, range, answered, pictures) => {
    const client = await playRecording({ store })
    const { status, head } = await client.ask('PLAY', TARGET, `Range: ${range}\r\n${FAST}`)
    expect([status, header(head, 'Range')]).toEqual([200, answered])
    expect(await readPictures(client)).toHaveLength(pictures)
  })

  test.each([
    ['nonsense', 400],
    ['npt=', 400],
    ['npt=abc-', 400],
    ['npt=-5-', 400],
    ['clock=20260301T1030-', 400],
    ['clock=20261399T103000Z-', 400],
    ['smpte=10:07:00-', 501],
    ['npt=10-5', 457],
    ['npt=500-', 457],
    ['clock=20300101T000000Z-', 457],
    ['clock=-', 400],
  ])('with the range %s gets %i, and another range plays all the same', async (range, status) => {
    const client = await playRecording({ store })
    expect((await client.ask('PLAY', TARGET, `Range: ${range}\r\n`)).status).toBe(status)
    expect((await client.ask('PLAY', TARGET, `Range: npt=0-2\r\n${FAST}`)).status).toBe(200)
    expect(await readPictures(client)).toHaveLength(50)
  })

  test('of a range without footage gets 457, and playback continues', async () => {
    const client = await playRecording({ store, tillMs: 50_000 })
    await client.ask('PLAY', TARGET, `Range: npt=18-20\r\n`)
    await sleep(300)
    expect((await client.ask('PLAY', TARGET, 'Range: npt=25-\r\n')).status).toBe(457)
    const seen = await readPictures(client)
    expect(seen).toHaveLength(50)
    expect(new Set(steps(seen))).toEqual(new Set([3600]))
  })

  test('of a range without footage leaves a paused session paused, and PLAY without a range resumes it', async () => {
    const client = await playRecording({ store, tillMs: 50_000 })
    await client.ask('PLAY', TARGET, `Range: npt=18-\r\n`)
    await client.ask('PAUSE', TARGET)
    const before = client.packets.length
    expect((await client.ask('PLAY', TARGET, 'Range: npt=25-\r\n')).status).toBe(457)
    await sleep(200)
    expect(client.packets.length).toBe(before)
    const { status, head } = await client.ask('PLAY', TARGET, FAST)
    expect([status, header(head, 'Range')]).toEqual([200, expect.stringMatching(/^npt=1[89]\.\d{3}-50\.000$/)])
    expect((await readPictures(client)).length).toBeGreaterThanOrEqual(40)
  })

  test('of a range without footage after the end plays nothing', async () => {
    const client = await playRecording({ store, tillMs: 50_000 })
    await client.ask('PLAY', TARGET, `Range: npt=0-2\r\n${FAST}`)
    expect(await readPictures(client)).toHaveLength(50)
    const before = client.packets.length
    expect((await client.ask('PLAY', TARGET, 'Range: npt=25-\r\n')).status).toBe(457)
    await sleep(200)
    expect(client.packets.length).toBe(before)
  })

  test('of what is on another machine gets 457', async () => {
    const client = await playRecording({ store, elsewhere: true })
    expect((await client.ask('PLAY', TARGET, 'Range: npt=4-\r\n')).status).toBe(457)
  })

  test('before SETUP, with another session or with what isn’t there is refused', async () => {
    const { ask } = await playRecording({ store })
    expect((await ask('PLAY', TARGET, 'Session: other\r\n')).status).toBe(454)
    expect((await ask('PAUSE', TARGET)).status).toBe(455)
    const refused = await ask('PLAY', TARGET, 'Require: com.example.faster\r\n')
    expect([refused.status, header(refused.head, 'Unsupported')]).toEqual([551, 'com.example.faster'])
    for (const scale of ['0', 'fast', '1e3', '--1'])
      expect((await ask('PLAY', TARGET, `Scale: ${scale}\r\n`)).status).toBe(400)
    expect((await ask('PLAY', TARGET, 'Frames: none\r\n')).status).toBe(400)
  })

  test('seeks while it plays, at once; RTP time continues', async () => {
    const client = await playRecording({ store })
    await client.ask('PLAY', TARGET, NPT_0)
    await sleep(300)
    const { head } = await client.ask('PLAY', TARGET, `Range: npt=60-\r\n${FAST}`)
    expect(header(head, 'Range')).toMatch(/^npt=60\.000-/)
    const seen = await readPictures(client)
    expect(seen.length).toBeGreaterThan(100)
    expect(seen.length).toBeLessThan(130)
    expect(new Set(steps(seen))).toEqual(new Set([3600]))
    const sequences = seen.map(({ sequence }) => sequence)
    expect(
      sequences.every((each, index) => index === 0 || ((each - (sequences[index - 1] ?? 0)) & 0xff_ff) < 1000),
    ).toBe(true)
  })

  test('after the end plays something else, from another source', async () => {
    const client = await playRecording({ store })
    const sources: number[] = []
    for (const range of ['npt=0-2', 'npt=4-6']) {
      expect((await client.ask('PLAY', TARGET, `Range: ${range}\r\n${FAST}`)).status).toBe(200)
      const seen = await readPictures(client)
      expect(seen).toHaveLength(50)
      sources.push(...new Set(seen.map(({ ssrc }) => ssrc)))
    }
    expect(sources).toHaveLength(2)
    expect(sources[1]).not.toBe(sources[0])
    expect(new Set(sources).size).toBe(2)
  })

  test('started in a gap, begins where the footage continues', async () => {
    const client = await playRecording({ store, fromMs: 18_000 })
    await client.ask('PLAY', TARGET, `${NPT_0}${FAST}`)
    const seen = await readPictures(client)
    expect(seen).toHaveLength(50 + 100)
    expect(new Set(steps(seen))).toEqual(new Set([3600]))
  })
})

describe('PAUSE', () => {
  test('holds, and PLAY continues with the next picture', async () => {
    const client = await playRecording({ store, tillMs: 4000 })
    await client.ask('PLAY', TARGET, NPT_0)
    await sleep(600)
    const paused = await client.ask('PAUSE', TARGET)
    const [, from] = /^npt=([\d.]+)-4\.000$/.exec(header(paused.head, 'Range') ?? '') ?? []
    const before = client.packets.length
    await sleep(500)
    expect(client.packets.length).toBe(before)
    expect((await client.ask('PAUSE', TARGET)).status).toBe(455)
    expect((await client.ask('GET_PARAMETER', TARGET)).status).toBe(200)
    const { head } = await client.ask('PLAY', TARGET, FAST)
    expect(header(head, 'Range')).toBe(`npt=${from}-4.000`)
    const seen = await readPictures(client)
    expect(seen).toHaveLength(100)
    expect(new Set(steps(seen))).toEqual(new Set([3600]))
  })

  test('with a range isn’t understood', async () => {
    const client = await playRecording({ store })
    await client.ask('PLAY', TARGET, NPT_0)
    expect((await client.ask('PAUSE', TARGET, 'Range: npt=5-\r\n')).status).toBe(501)
    expect((await client.ask('PAUSE', TARGET)).status).toBe(200)
  })

  test('lasts as long as the client keeps the session alive', async () => {
    const { ask, served } = await playRecording({ store, limits: { silentMs: 400, playsWithinMs: 100 } })
    await ask('PLAY', TARGET, NPT_0)
    await ask('PAUSE', TARGET)
    for (let kept = 0; kept < 4; kept++) {
      await sleep(200)
      expect((await ask('GET_PARAMETER', TARGET)).status).toBe(200)
    }
    await served
  })

  test('of live video holds it, and PLAY continues live', async () => {
    const hub = createHub()
    const track = footage('main.h264')
    const [tracks, units] = playTracks([track], { seconds: 30, wallClock: Date.now() })
    hub.publish({ kind: 'tracks', tracks })
    const all = [...units]
    const publish = (from: number, till: number) => {
      for (const unit of all.slice(from, till)) hub.publish({ kind: 'unit', ...unit })
    }
    publish(0, 10)
    const nothing = { status: 503, json: '{}' }
    const client = connect({ hub, hears: true, signal: new AbortController().signal, nothing })
    await client.ask('DESCRIBE', TARGET)
    await client.ask('SETUP', 'rtsp://a/track0', 'Transport: RTP/AVP/TCP\r\n')
    expect((await client.ask('PLAY', TARGET, `Range: clock=${at(0)}-\r\n`)).status).toBe(457)
    expect((await client.ask('PLAY', TARGET, ONVIF)).status).toBe(551)
    expect((await client.ask('PLAY', TARGET, NPT_0)).status).toBe(200)
    await expect.poll(() => client.packets.length).toBeGreaterThan(9)
    expect((await client.ask('PAUSE', TARGET)).status).toBe(200)
    expect(hub.readers).toBe(0)
    const before = client.packets.length
    publish(10, 120)
    await sleep(100)
    expect(client.packets.length).toBe(before)
    expect((await client.ask('PAUSE', TARGET)).status).toBe(455)
    expect(header((await client.ask('PLAY', TARGET)).head, 'Range')).toBe('npt=now-')
    await expect.poll(() => client.packets.length).toBeGreaterThan(before)
    const timestamps = client.packets.flatMap(({ bytes }) =>
      bytes[1] === 200 ? [] : [parseRtp(bytes)?.timestamp ?? 0],
    )
    // The group of pictures that is running: time that was paused is left out.
    const jump = Math.max(...timestamps.slice(1).map((time, index) => (time - (timestamps[index] ?? 0)) >>> 0))
    expect(jump).toBe((100 - 9) * 3600)
  })
})
