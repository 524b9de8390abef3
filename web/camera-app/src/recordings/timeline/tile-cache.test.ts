import { beforeEach, describe, expect, test } from 'vitest'
import { type Footage, readStretch, sumsToFootage, toFootage, toStretches } from './footage.ts'
import { DAY, HOUR, MINUTE, type Span } from './span.ts'
import { knownTiles, TileCache, type TileRequest } from './tile-cache.ts'

const start = Date.UTC(2026, 10, 27, 12)
const settle = () => new Promise((done) => setTimeout(done, 0))

const footage = ({ from, till }: Span): Footage => ({
  recorded: toStretches([{ from, till, code: 0 }]),
  gaps: toStretches([]),
  events: [],
})

describe('tiles of footage', () => {
  let asked: TileRequest[]
  let now: number
  let fails: boolean
  let cache: TileCache
  beforeEach(() => {
    asked = []
    now = start
    fails = false
    cache = new TileCache({
      now: () => now,
      onChange: () => undefined,
      load: async (request) => {
        asked.push(request)
        if (fails) throw new Error('no connection')
        const till = Math.min(request.till, now)
        return new Map(request.cameraIds.map((id) => [id, footage({ from: request.from, till })]))
      },
    })
  })

  test('a year of nine cameras is one call, and looking again asks nothing', async () => {
    const year = { from: start - 366 * DAY, till: start }
    const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    cache.want(ids, year)
    await settle()
    expect(asked.map(({ level, cameraIds }) => [level, cameraIds.length])).toEqual([['days', 9]])
    cache.want(ids, year)
    await settle()
    expect(asked).toHaveLength(1)
    const parts = knownTiles(cache, 9, year)
    expect(parts[0]?.from).toBeLessThanOrEqual(year.from)
    expect(parts.at(-1)?.till).toBeGreaterThanOrEqual(year.till)
  })
  test('a call asks for no more sums than the server gives in one', async () => {
    cache.want([1, 2, 3, 4, 5, 6, 7, 8, 9], { from: start - 45 * DAY, till: start })
    await settle()
    await settle()
    expect(asked.length).toBeGreaterThan(1)
    for (const { from, till, cameraIds } of asked)
      expect(((till - from) / HOUR) * cameraIds.length).toBeLessThanOrEqual(10_000)
  })
  test('panning asks only for what is new, and never for the future', async () => {
    cache.want([1], { from: start - 3 * HOUR, till: start + 3 * HOUR })
    await settle()
    cache.want([1], { from: start - 4 * HOUR, till: start + 2 * HOUR })
    await settle()
    expect(asked.map(({ from, till }) => [from, till])).toEqual([
      [start - 3 * HOUR, start],
      [start - 4 * HOUR, start - 3 * HOUR],
    ])
  })
  test('another camera is asked for alone', async () => {
    const span = { from: start - HOUR, till: start }
    cache.want([1, 2], span)
    await settle()
    cache.want([1, 2, 3], span)
    await settle()
    expect(asked.at(-1)?.cameraIds).toEqual([3])
  })
  test('the tile of the present is read again after some seconds, older ones are not; the known one stays meanwhile', async () => {
    const span = { from: start - 90 * MINUTE, till: start + 10 * MINUTE }
    now = start + MINUTE
    cache.want([1], span)
    await settle()
    now += 6000
    cache.want([1], span)
    expect(knownTiles(cache, 1, span)).not.toHaveLength(0)
    expect(cache.isWaiting).toBe(false)
    await settle()
    expect(asked.at(-1)).toMatchObject({ from: start, till: start + HOUR })
    const last = knownTiles(cache, 1, span).at(-1)
    expect(last === undefined ? undefined : readStretch(last.tile.footage.recorded, 0).till).toBe(now)
  })
  test('coarse footage stands in while a closer look loads, and the other way round', async () => {
    const year = { from: start - 300 * DAY, till: start }
    cache.want([1], year)
    await settle()
    const hour = { from: start - HOUR, till: start }
    expect(knownTiles(cache, 1, hour).map(({ tile }) => tile.level)).toEqual(['days'])
    cache.want([1], hour)
    await settle()
    expect(knownTiles(cache, 1, hour).map(({ tile }) => tile.level)).toEqual(['seconds'])
  })
  test('what was deleted is read again at once, and stays drawn until then', async () => {
    const span = { from: start - 5 * HOUR, till: start - 4 * HOUR }
    cache.want([1, 2], span)
    await settle()
    cache.refresh(2)
    expect(knownTiles(cache, 2, span)).toHaveLength(1)
    await settle()
    expect(asked.at(-1)?.cameraIds).toEqual([2])
    expect(asked).toHaveLength(2)
  })
  test('a failure is said, tried again later, and forgotten after a success', async () => {
    const span = { from: start - HOUR, till: start }
    fails = true
    cache.want([1], span)
    await settle()
    expect(cache.hasFailed).toBe(true)
    cache.want([1], span)
    await settle()
    expect(asked).toHaveLength(1)
    // Elsewhere it may work.
    cache.want([1], { from: start - 300 * DAY, till: start })
    await settle()
    expect(asked.at(-1)?.level).toBe('days')
    cache.want([1], span)
    await settle()
    expect(cache.hasFailed).toBe(true)
    fails = false
    cache.retry()
    await settle()
    expect(cache.hasFailed).toBe(false)
    expect(knownTiles(cache, 1, span)).toHaveLength(1)
  })
  test('a call whose range nobody looks at any more is cancelled', async () => {
    cache.want([1], { from: start - 5 * HOUR, till: start - 4 * HOUR })
    cache.want([1], { from: start - 300 * DAY, till: start })
    expect(asked[0]?.signal.aborted).toBe(true)
    await settle()
    expect(asked.at(-1)?.level).toBe('days')
  })
})

describe('footage from the server', () => {
  test('stretches keep what they are', () => {
    const at = (minute: number) => new Date(start + minute * MINUTE).toISOString()
    const segment = { type: 'event', storage: 'cloud', origin: 'card', locked: true } as const
    const found = toFootage(
      {
        segments: [{ ...segment, start: at(0), end: at(1) }],
        gaps: [{ start: at(1), end: at(2), reason: 'disk' }],
      },
      [],
    )
    expect(readStretch(found.recorded, 0)).toEqual({ from: start, till: start + MINUTE, code: 7, share: 255 })
    expect(readStretch(found.gaps, 0)).toMatchObject({ from: start + MINUTE, till: start + 2 * MINUTE })
  })
  test('of a sum, a second of a day stays visible', () => {
    const found = sumsToFootage(
      { cameraId: 1, recorded: [86_399, 0], gaps: { network: [1, 86_400] } },
      { from: start, intervalMs: DAY },
    )
    expect(readStretch(found.recorded, 0).share).toBe(255)
    expect([0, 1].map((index) => readStretch(found.gaps, index).share)).toEqual([1, 255])
  })
})
