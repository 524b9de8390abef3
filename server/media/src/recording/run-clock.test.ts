import { describe, expect, test } from 'vitest'
import type { AccessUnit } from '../frame/index.ts'
import type { HubMessage } from '../hub/index.ts'
import type { RecorderMessage } from './record-options.ts'
import { RunClock } from './run-clock.ts'

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 0, 1, 12)

const picture = (wallClock: number, mediaMs: number): HubMessage => ({
  kind: 'unit',
  track: 0,
  unit: { kind: 'video', time: Math.round(mediaMs * 90), wallClock, isKey: true, units: [] },
})

const timesOf = (messages: readonly RecorderMessage[]): readonly AccessUnit[] =>
  messages.flatMap((message) => (message.kind === 'unit' ? [message.unit] : []))

/** Random delays of the network, the same each time. */
function* delays(mostMs: number): Generator<number, never> {
  for (let random = 1; ; random = (random * 48_271) % 0x7f_ff_ff_ff)
    yield Math.round((random / 0x7f_ff_ff_ff) ** 3 * mostMs)
}

describe('the time of a picture', () => {
  test.each([200, -200, 0])('after 24 hours with a camera of %d ppm is right to 100 ms', (ppm) => {
    const clock = new RunClock()
    const delay = delays(300)
    let worst = 0
    let before = 0
    let isAscending = true
    for (let ms = 0; ms < 24 * HOUR; ms += 1000) {
      const media = 1000 + ms * (1 + ppm / 1e6)
      for (const { time, wallClock } of timesOf(clock.take(picture(NOON + ms + delay.next().value, media)))) {
        const taken = NOON + (time / 90 - 1000) / (1 + ppm / 1e6)
        worst = Math.max(worst, Math.abs(wallClock - taken))
        isAscending &&= wallClock > before
        before = wallClock
      }
    }
    expect(worst).toBeLessThan(100)
    expect(isAscending).toBe(true)
  })

  test('in a burst at the start lies before the connection', () => {
    const clock = new RunClock()
    // Five seconds in half a second, then as it happens.
    const burst = Array.from({ length: 125 }, (_, number) => picture(NOON + number * 4, number * 40))
    const live = Array.from({ length: 50 }, (_, number) => picture(NOON + 500 + number * 40, 5000 + number * 40))
    const units = timesOf([...burst, ...live].flatMap((message) => clock.take(message)))
    expect(units[0]?.wallClock).toBe(NOON - 4500)
    expect(units.at(-1)?.wallClock).toBe(NOON + 500 + 49 * 40)
    for (const [index, unit] of units.entries()) expect(unit.wallClock).toBe(NOON - 4500 + index * 40)
  })

  test('that was held up on the way is the one at which it was taken', () => {
    const clock = new RunClock()
    const units = timesOf(
      Array.from({ length: 500 }, (_, number) => {
        const taken = NOON + number * 40
        const isStuck = number >= 200 && number < 275
        return clock.take(picture(isStuck ? NOON + 275 * 40 : taken, number * 40))
      }).flat(),
    )
    for (const [index, unit] of units.entries())
      expect(Math.abs(unit.wallClock - NOON - index * 40)).toBeLessThanOrEqual(2)
  })

  test('of a run that began on a stuck network is right within its first minute', () => {
    const clock = new RunClock()
    const units = timesOf(
      Array.from({ length: 1500 }, (_, number) => {
        const late = number < 100 ? 2000 : 0
        return clock.take(picture(NOON + number * 40 + late, number * 40))
      }).flat(),
    )
    expect(Math.abs((units.at(-1)?.wallClock ?? 0) - NOON - 1499 * 40)).toBeLessThan(20)
  })

  test("follows the server's clock when that is set, so that another run can begin", () => {
    const clock = new RunClock()
    const units = timesOf(
      Array.from({ length: 200 }, (_, number) =>
        clock.take(picture(NOON + number * 40 + (number < 100 ? 0 : HOUR), number * 40)),
      ).flat(),
    )
    expect((units[100]?.wallClock ?? 0) - (units[99]?.wallClock ?? 0)).toBe(HOUR + 40)
  })
})

test('nothing is lost or turned around while a run begins, and its end waits for no one', () => {
  const clock = new RunClock()
  const messages: HubMessage[] = [
    { kind: 'tracks', tracks: [] },
    picture(NOON, 0),
    { kind: 'skipped', units: 3 },
    picture(NOON + 100, 100),
    { kind: 'ended', cause: 'closed' },
    { kind: 'tracks', tracks: [] },
    picture(NOON + 5000, 0),
  ]
  const arranged = messages.flatMap((message) => clock.take(message))
  expect([...arranged, ...clock.rest()].map(({ kind }) => kind)).toEqual(messages.map(({ kind }) => kind))
  expect(timesOf(arranged).map(({ wallClock }) => wallClock)).toEqual([NOON, NOON + 100])
})
