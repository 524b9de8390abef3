import type { VideoDetection } from '@sightline/contract/detectors'
import { describe, expect, test } from 'vitest'
import { BLOCK, COLUMNS, HEIGHT, WIDTH } from './blocks.ts'
import { MotionDetector, type MotionTransition } from './motion-detector.ts'

const NOON = Date.UTC(2026, 0, 1, 12)

/** Random numbers from 0 to 1, the same each time. */
function* randoms(): Generator<number, never> {
  for (let state = 7; ; state = (state * 48_271) % 0x7f_ff_ff_ff) yield state / 0x7f_ff_ff_ff
}

interface Thing {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly light: number
}

/** A room with noise, a brightness, and things in it. */
function scene(noise: Generator<number, never>, light: number, things: readonly Thing[]): Uint8Array {
  const pixels = new Uint8Array(WIDTH * HEIGHT)
  for (let y = 0, at = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++, at++) {
      const thing = things.find((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height)
      pixels[at] = Math.max(0, Math.min(255, (thing?.light ?? light + y / 3) + (noise.next().value - 0.5) * 8))
    }
  return pixels
}

/** Digits of a clock in the upper left corner: each second another pattern; the tens and minutes change with their time. */
const clockAt = (second: number): readonly Thing[] =>
  [second % 10, Math.floor(second / 10) % 6, Math.floor(second / 60)].map((digit, place) => ({
    x: 26 - place * 5,
    y: 2 + (digit % 3),
    width: 2 + (digit % 2) * 2,
    height: 4 - (digit % 2),
    light: 250,
  }))

const person = (x: number): Thing => ({ x, y: 40, width: 8, height: 24, light: 20 })

interface Film {
  readonly seconds: number
  readonly everyMs?: number
  readonly light?: (second: number) => number
  readonly things?: (second: number) => readonly Thing[]
  readonly sensitivity?: number
  readonly areas?: VideoDetection['areas']
}

/** What a detector finds, in seconds. */
function watch({ seconds, everyMs = 500, light = () => 90, things = () => [], ...film }: Film) {
  const detector = new MotionDetector()
  detector.tune({ sensitivity: film.sensitivity ?? 50, areas: film.areas ?? [] })
  const noise = randoms()
  const found: (readonly [MotionTransition['kind'], number])[] = []
  for (let ms = 0; ms < seconds * 1000; ms += everyMs) {
    const second = ms / 1000
    const change = detector.add({ at: NOON + ms, pixels: scene(noise, light(second), things(second)) })
    if (change !== undefined) found.push([change.kind, (change.at - NOON) / 1000])
  }
  return { found, mask: detector.mask, detector }
}

/** Walks through the room from second 30 to 40. */
const walk = (second: number): readonly Thing[] => (second >= 30 && second < 40 ? [person((second - 30) * 14)] : [])

describe('motion', () => {
  test('is found from its first to its last picture', () => {
    const { found } = watch({ seconds: 60, things: walk })
    expect(found).toEqual([
      ['begins', expect.closeTo(30.25, 0)],
      ['ends', expect.closeTo(39.5, 0)],
    ])
  })

  test('is found in key pictures alone', () => {
    const { found } = watch({ seconds: 60, everyMs: 2000, things: walk })
    expect(found.map(([kind]) => kind)).toEqual(['begins', 'ends'])
  })

  test('that pauses for a moment is one event', () => {
    const pausing = (second: number) => (Math.floor(second) % 4 === 0 ? [] : walk(second))
    expect(watch({ seconds: 60, things: pausing }).found).toHaveLength(2)
  })

  test('ends when the camera is lost', () => {
    const detector = new MotionDetector()
    const noise = randoms()
    for (let ms = 0; ms < 34_000; ms += 500) detector.add({ at: NOON + ms, pixels: scene(noise, 90, walk(ms / 1000)) })
    expect(detector.isAlert).toBe(true)
    expect(detector.end()).toMatchObject({ kind: 'ends' })
    expect(detector.end()).toBeUndefined()
  })

  test('ends soon after something has come and stands still', () => {
    const parked = (second: number) => (second >= 30 ? [{ ...person(60), width: 30 }] : [])
    const { found } = watch({ seconds: 300, things: parked })
    expect(found).toEqual([
      ['begins', 30],
      ['ends', expect.closeTo(31, 0)],
    ])
  })
})

describe('no motion', () => {
  test('is where something stood that has left', () => {
    const leaving = (second: number) => (second < 20 ? [{ ...person(60), width: 30 }] : [])
    const { found } = watch({ seconds: 200, things: leaving })
    expect(found.at(-1)?.[1]).toBeLessThan(25)
  })

  test('is a still room, a clock that runs, and its change of the minute', () => {
    expect(watch({ seconds: 300, things: clockAt }).found).toEqual([])
    expect(watch({ seconds: 300, everyMs: 2000, things: clockAt }).found).toEqual([])
  })

  test('is light that slowly changes, or is switched on', () => {
    expect(watch({ seconds: 120, light: (second) => 60 + second }).found).toEqual([])
    expect(watch({ seconds: 120, light: (second) => (second < 60 ? 40 : 170) }).found).toEqual([])
  })

  test('is a single damaged picture', () => {
    const damaged = (second: number) => (second === 30 ? [{ x: 0, y: 40, width: 90, height: 20, light: 128 }] : [])
    expect(watch({ seconds: 60, things: damaged }).found).toEqual([])
  })
})

/** A rectangle of the picture, in shares. */
const area = (
  kind: 'intrusion' | 'exclusion',
  [left, top, right, bottom]: readonly [number, number, number, number],
): VideoDetection['areas'][number] => ({
  areaId: kind === 'intrusion' ? 1 : 2,
  kind,
  enabled: true,
  points: [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ],
})

describe('areas', () => {
  const whole = [0, 0, 1, 1] as const
  const leftHalf = [0, 0, 0.5, 1] as const
  const walkingOnTheLeft = (second: number) => (second >= 30 && second < 36 ? [person((second - 30) * 8)] : [])

  test('motion outside of all areas, or in an excluded one, does not count', () => {
    const things = walkingOnTheLeft
    expect(watch({ seconds: 60, things, areas: [area('exclusion', leftHalf)] }).found).toEqual([])
    expect(watch({ seconds: 60, things, areas: [area('intrusion', [0.6, 0, 1, 1])] }).found).toEqual([])
    expect(
      watch({ seconds: 60, things, areas: [area('intrusion', whole), area('exclusion', leftHalf)] }).found,
    ).toEqual([])
  })

  test('motion inside of an area counts, and an area that is off changes nothing', () => {
    const things = walkingOnTheLeft
    const kinds = (areas: VideoDetection['areas']) => watch({ seconds: 60, things, areas }).found.map(([kind]) => kind)
    expect(kinds([area('intrusion', leftHalf)])).toEqual(['begins', 'ends'])
    expect(kinds([{ ...area('exclusion', whole), enabled: false }])).toEqual(['begins', 'ends'])
    expect(kinds([{ ...area('intrusion', [0.6, 0, 1, 1]), enabled: false }])).toEqual(['begins', 'ends'])
  })
})

describe('sensitivity', () => {
  const kindsAt = (sensitivity: number, thing: Partial<Thing>) => {
    const things = (second: number) => walk(second).map((one) => ({ ...one, ...thing }))
    return watch({ seconds: 60, things, sensitivity }).found.map(([kind]) => kind)
  }
  test('decides what is too small', () => {
    const small = { width: 8, height: 10 }
    expect(kindsAt(0, small)).toEqual([])
    expect(kindsAt(75, small)).toEqual(['begins', 'ends'])
  })
  test('decides what is too faint', () => {
    const faint = { light: 138 }
    expect(kindsAt(10, faint)).toEqual([])
    expect(kindsAt(100, faint)).toEqual(['begins', 'ends'])
  })
  test('can be tried out on the last picture: only blocks that would begin motion are named', () => {
    const small = (second: number) => walk(second).map((one) => ({ ...one, width: 8, height: 10 }))
    const { detector } = watch({ seconds: 35, things: small, sensitivity: 0 })
    const countAt = (sensitivity: number) => detector.triggering(sensitivity).reduce((sum, value) => sum + value, 0)
    expect([countAt(0), countAt(100) > 0]).toEqual([0, true])
    const tuned = watch({ seconds: 35, things: small, sensitivity: 75 })
    expect(tuned.detector.triggering(75)).toEqual(tuned.detector.moving)
  })
  test('that is tried out finds nothing outside of all areas, and after the camera is lost', () => {
    const { detector } = watch({ seconds: 35, things: walk, areas: [area('exclusion', [0, 0, 1, 1])] })
    expect(detector.triggering(100)).not.toContain(1)
    const { detector: lost } = watch({ seconds: 35, things: walk })
    expect(lost.triggering(100)).toContain(1)
    lost.end()
    expect(lost.triggering(100)).not.toContain(1)
  })
  test('at 100 finds nothing in a still room', () => {
    expect(watch({ seconds: 120, sensitivity: 100 }).found).toEqual([])
  })
})

test('beside a clock motion is found, and only the blocks of the clock are left out', () => {
  const { found, mask } = watch({ seconds: 90, things: (second) => [...clockAt(second), ...walk(second)] })
  expect(found.map(([kind]) => kind)).toEqual(['begins', 'ends'])
  const masked = [...mask].flatMap((value, block) => (value === 1 ? [block] : []))
  expect(masked.length).toBeGreaterThan(0)
  expect(masked.every((block) => Math.floor(block / COLUMNS) <= Math.ceil(8 / BLOCK))).toBe(true)
  expect(masked.length).toBeLessThan(30)
})

test('a place that was busy for minutes is watched again when it calms down', () => {
  const screen = (second: number): readonly Thing[] =>
    second < 120 ? [{ x: 100, y: 50, width: 20, height: 20, light: second % 2 < 1 ? 30 : 220 }] : []
  const late = (second: number) => (second >= 200 && second < 204 ? [person(100 + (second - 200) * 3)] : screen(second))
  const { found } = watch({ seconds: 230, things: late })
  expect(found.at(-2)).toEqual(['begins', expect.closeTo(200, 0)])
})
