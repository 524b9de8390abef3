import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  at,
  FAST,
  GROUP_MS,
  header,
  NPT_0,
  ONVIF,
  playRecording,
  readPictures,
  recordedStore,
  steps,
  TARGET,
} from '../../../../tests/fixtures/rtsp-recording.ts'
import { removeTemporaryFolders, TEN_THIRTY } from '../recording/recording-stage.ts'
import { readPlayRequest } from './play-request.ts'

let store: string
beforeAll(async () => {
  store = await recordedStore()
})
afterAll(removeTemporaryFolders)

describe('Scale', () => {
  test.each([
    [2, 500, 1800],
    [0.5, 500, 7200],
    [8, 10, (GROUP_MS * 90) / 8],
  ])('%d sends pictures closer together, and above 4 only key pictures', async (scale, pictures, step) => {
    const client = await playRecording({ store, tillMs: 20_000 })
    const { head } = await client.ask('PLAY', TARGET, `${NPT_0}${FAST}Scale: ${scale}\r\n`)
    expect(header(head, 'Scale')).toBe(String(scale))
    const seen = await readPictures(client)
    expect(seen).toHaveLength(pictures)
    expect(new Set(steps(seen))).toEqual(new Set([step]))
  })

  test('by the clock takes as much less time', async () => {
    const client = await playRecording({ store, tillMs: 8000 })
    const begun = performance.now()
    await client.ask('PLAY', TARGET, `${NPT_0}Scale: 4\r\n`)
    expect(await readPictures(client)).toHaveLength(200)
    expect(performance.now() - begun).toBeGreaterThan(1500)
    expect(performance.now() - begun).toBeLessThan(3000)
  })

  test('below 0 sends key pictures backwards, over the gap, to the beginning', async () => {
    const client = await playRecording({ store }, ONVIF)
    const range = `Range: clock=${at(62_500)}-${at(16_000)}\r\n`
    const { head } = await client.ask('PLAY', TARGET, `${range}${FAST}Scale: -1\r\n`)
    expect(header(head, 'Range')).toBe(`clock=${at(62_000)}-${at(16_000)}`)
    const seen = await readPictures(client)
    expect(seen.map(({ time }) => (time ?? 0) - TEN_THIRTY)).toEqual([62_000, 60_000, 18_000, 16_000])
    expect(steps(seen)).toEqual([180_000, 900_000, 180_000])
  })

  test('beyond 16 gets 16', async () => {
    const client = await playRecording({ store })
    expect(header((await client.ask('PLAY', TARGET, 'Scale: 1000\r\n')).head, 'Scale')).toBe('16')
    expect(header((await client.ask('PLAY', TARGET, 'Scale: -1000\r\n')).head, 'Scale')).toBe('-16')
  })
})

describe('for clients of ONVIF', () => {
  const [C, E, D, T] = [0x80, 0x40, 0x20, 0x10]

  test('each picture says its time of day, and gaps and the end are marked', async () => {
    const client = await playRecording({ store, fromMs: 18_000 }, ONVIF)
    await client.ask('PLAY', TARGET, `${NPT_0}${FAST}`)
    const seen = await readPictures(client)
    expect(seen.map(({ time }) => time)).toEqual([
      ...Array.from({ length: 50 }, (_, index) => TEN_THIRTY + 18_000 + index * 40),
      ...Array.from({ length: 100 }, (_, index) => TEN_THIRTY + 60_000 + index * 40),
    ])
    const marked = seen.map(({ flags = 0 }, index) => [index, flags & ~C]).filter(([, flags]) => flags !== 0)
    expect(marked).toEqual([
      [0, D],
      [49, E],
      [50, D],
      [149, E | T],
    ])
    expect(seen.flatMap(({ flags = 0 }, index) => (flags & C ? [index] : []))).toEqual([0, 50, 100])
  })

  test('only key pictures, or some of them', async () => {
    const client = await playRecording({ store, tillMs: 20_000 }, ONVIF)
    await client.ask('PLAY', TARGET, `${NPT_0}${FAST}Frames: intra\r\n`)
    expect(await readPictures(client)).toHaveLength(10)
    await client.ask('PLAY', TARGET, `${NPT_0}${FAST}Frames: intra/4000\r\n`)
    expect((await readPictures(client)).map(({ time }) => (time ?? 0) - TEN_THIRTY)).toEqual([
      0, 4000, 8000, 12_000, 16_000,
    ])
  })

  test('without asking for it, no packet has the extension', async () => {
    const client = await playRecording({ store, tillMs: 2000 })
    await client.ask('PLAY', TARGET, `${NPT_0}${FAST}`)
    expect((await readPictures(client)).every(({ flags }) => flags === undefined)).toBe(true)
  })
})

describe('the connection ends', () => {
  test('with the permission, playing, paused or over', async () => {
    for (const state of ['playing', 'paused', 'over']) {
      const client = await playRecording({ store })
      await client.ask('PLAY', TARGET, state === 'over' ? `Range: npt=0-2\r\n${FAST}` : NPT_0)
      if (state === 'paused') await client.ask('PAUSE', TARGET)
      if (state === 'over') await readPictures(client)
      client.ending.abort(9)
      await client.served
    }
  })

  test('when nothing else was asked for after the end', async () => {
    const client = await playRecording({ store, limits: { playsWithinMs: 300 } })
    await client.ask('PLAY', TARGET, `Range: npt=0-2\r\n${FAST}`)
    await readPictures(client)
    const over = performance.now()
    await client.served
    expect(performance.now() - over).toBeGreaterThan(200)
  })
})

test('a client that takes little makes nothing wait in memory', async () => {
  const { ask, client, server, served } = await playRecording({ store, limits: { stalledMs: 300 } })
  await ask('PLAY', TARGET, `${NPT_0}${FAST}`)
  client.pause()
  let most = 0
  for (let watched = 0; watched < 20; watched++) {
    most = Math.max(most, server.writableLength)
    await sleep(10)
  }
  expect(most).toBeLessThan(300_000)
  await served
})

test('what clients ask for is understood or refused, whatever it is', () => {
  const names = ['range', 'scale', 'frames', 'rate-control', 'cseq']
  const good = ['npt=1.5-20', `clock=${at(0)}-${at(5000)}`, 'intra/4000', '-2.5', 'no', 'npt=now-', '12']
  const text = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc
      .tuple(fc.constantFrom(...good), fc.nat(40), fc.string({ maxLength: 3 }))
      .map(([of, cut, more]) => `${of.slice(0, cut)}${more}${of.slice(cut)}`),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), text), (headers) => {
      const read = readPlayRequest({ headers: new Map(Object.entries(headers)) })
      if (typeof read === 'number') {
        expect([400, 501]).toContain(read)
        return
      }
      const { range, scale, leastDistanceMs, cseq } = read
      for (const number of [range?.from, range?.till, scale, leastDistanceMs, cseq])
        expect(number === undefined || Number.isFinite(number)).toBe(true)
      expect(Math.abs(scale ?? 1)).toBeLessThanOrEqual(16)
      expect(scale).not.toBe(0)
    }),
    { numRuns: 5000 },
  )
})

test('in whatever order clients ask, each request has its answer, and nothing stays open', async () => {
  const request = fc.tuple(
    fc.constantFrom('OPTIONS', 'SETUP', 'PLAY', 'PLAY', 'PAUSE', 'GET_PARAMETER', 'RECORD'),
    fc.constantFrom(
      '',
      NPT_0,
      'Range: npt=3-4\r\n',
      'Range: npt=62-\r\n',
      'Range: x\r\n',
      `Range: clock=${at(0)}-\r\n`,
    ),
    fc.constantFrom('', 'Scale: -4\r\n', 'Scale: 8\r\n', FAST, ONVIF, 'Session: none\r\n', 'Frames: intra/1\r\n'),
  )
  const statuses = new Set([200, 404, 405, 454, 455, 457, 461, 400, 501, 551])
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 10 }), async (requests) => {
      const client = await playRecording({ store })
      for (const [method, range, other] of requests)
        expect(statuses).toContain((await client.ask(method, TARGET, `${range}${other}`)).status)
      expect((await client.ask('TEARDOWN', TARGET)).status).toBe(200)
      await client.served
    }),
    { numRuns: 150 },
  )
}, 60_000)
