import { manualClock } from '@sightline/platform/clock'
import { describe, expect, test } from 'vitest'
import { Liveness } from './liveness.ts'

/** A camera with 25 pictures a second and a key picture every two; the recorder takes a part every second. */
function camera({ everyMs = 40, gop = 50 } = {}) {
  const clock = manualClock(0)
  const liveness = new Liveness()
  let number = 0
  const run = (seconds: number, { disk = true, sync = true } = {}) => {
    for (let ms = 0; ms < seconds * 1000; ms += everyMs) {
      clock.advance(everyMs)
      const unit = {
        kind: 'video' as const,
        time: clock.now() * 90,
        wallClock: 0,
        isKey: number % gop === 0,
        units: [],
      }
      number++
      liveness.picture(unit, clock.now())
      if (clock.now() % 1000 >= everyMs && everyMs < 1000) continue
      if (disk) liveness.written(clock.now())
      if (disk && sync) liveness.synced(clock.now())
    }
  }
  /** Milliseconds until the verdict isn't `live` any more, asked every half second. */
  const untilNoticed = () => {
    const began = clock.now()
    while (liveness.judge(clock.now()).kind === 'live' && clock.now() - began < 120_000) clock.advance(500)
    return { kind: liveness.judge(clock.now()).kind, ms: clock.now() - began }
  }
  return { clock, liveness, run, untilNoticed }
}

describe('a camera is live', () => {
  test('while pictures come and reach the disk', () => {
    const { clock, liveness, run } = camera()
    for (let minute = 0; minute < 5; minute++) {
      run(60)
      expect(liveness.judge(clock.now())).toEqual({ kind: 'live' })
    }
  })

  test('while it is not connected: the connection says what is wrong then', () => {
    const { clock, liveness, run } = camera()
    run(10)
    liveness.ended()
    clock.advance(600_000)
    expect(liveness.judge(clock.now())).toEqual({ kind: 'live' })
    run(1)
    expect(liveness.judge(clock.now())).toEqual({ kind: 'live' })
  })
})

describe('a camera is not live', () => {
  test('within 5.5 s after its last picture, if it sends key pictures at least every two seconds', () => {
    const { run, untilNoticed } = camera()
    run(30)
    expect(untilNoticed()).toEqual({ kind: 'noPicture', ms: 5500 })
  })

  test.each([
    ['20 s between key pictures', { gop: 500 }, 30_500],
    ['a picture every 4 s', { everyMs: 4000, gop: 1 }, 12_500],
  ])('later for a camera with %s', (_, rate, ms) => {
    const { run, untilNoticed } = camera(rate)
    run(100)
    expect(untilNoticed()).toEqual({ kind: 'noPicture', ms })
  })

  test('when parts are not written although pictures come', () => {
    const { clock, liveness, run } = camera()
    run(30)
    run(4, { disk: false })
    expect(liveness.judge(clock.now()).kind).toBe('live')
    run(2, { disk: false })
    expect(liveness.judge(clock.now())).toMatchObject({ kind: 'notStored', forMs: expect.closeTo(5960, -2) })
    run(2)
    expect(liveness.judge(clock.now())).toEqual({ kind: 'live' })
  })

  test('when parts are written but the disk never confirms them', () => {
    const { clock, liveness, run } = camera()
    run(30)
    run(7, { sync: false })
    expect(liveness.judge(clock.now()).kind).toBe('notStored')
    liveness.recorderOpened()
    expect(liveness.judge(clock.now())).toEqual({ kind: 'live' })
  })
})

test('a disk that confirms only what was written long before is noticed', () => {
  const { clock, liveness, run } = camera()
  run(30)
  run(1, { sync: false })
  const at = clock.now()
  run(7, { sync: false })
  liveness.synced(at)
  expect(liveness.judge(clock.now()).kind).toBe('notStored')
  liveness.synced(clock.now())
  expect(liveness.judge(clock.now())).toEqual({ kind: 'live' })
})

test('a camera that became much slower is given time to show its new rate', () => {
  const fast = camera()
  fast.run(30)
  fast.liveness.ended()
  const unit = { kind: 'video' as const, time: 0, wallClock: 0, isKey: true, units: [] }
  fast.liveness.picture(unit, fast.clock.now())
  fast.liveness.written(fast.clock.now())
  fast.liveness.synced(fast.clock.now())
  expect(fast.untilNoticed().ms).toBe(5500)
  fast.liveness.ended()
  fast.liveness.picture(unit, fast.clock.now())
  fast.liveness.written(fast.clock.now())
  fast.liveness.synced(fast.clock.now())
  expect(fast.untilNoticed().ms).toBe(15_500)
})
