import { describe, expect, test } from 'vitest'
import { MotionSpans } from './motion-spans.ts'
import type { MotionNotice } from './notification.ts'

const NOON = Date.UTC(2026, 0, 1, 12)
const at = (seconds: number): number => NOON + seconds * 1000
const notice = (isActive: boolean, seconds: number | undefined, key = 'rule'): MotionNotice => ({
  type: 'motion',
  key,
  isActive,
  isMoment: false,
  input: undefined,
  isInitial: false,
  sources: [],
  cameraTime: seconds === undefined ? undefined : at(seconds),
})
const begin = (seconds: number, cameraTime = at(seconds)) => ({ kind: 'begin', at: at(seconds), cameraTime })
const end = (seconds: number) => ({ kind: 'end', at: at(seconds) })

describe('motion', () => {
  test('is one stretch from its begin to its end, however often it is reported', () => {
    const spans = new MotionSpans()
    expect(spans.take(notice(true, 0), 0, at(0))).toEqual([begin(0)])
    expect(spans.take(notice(true, 5), 0, at(5))).toEqual([])
    expect(spans.take(notice(false, 9), 0, at(9))).toEqual([])
    expect(spans.advance(at(10))).toEqual([])
    expect(spans.advance(at(11))).toEqual([end(9)])
    expect(spans.advance(at(99))).toEqual([])
  })

  test('of several rules is one stretch, until the last of them ends', () => {
    const spans = new MotionSpans()
    spans.take(notice(true, 0, 'left'), 0, at(0))
    expect(spans.take(notice(true, 1, 'right'), 0, at(1))).toEqual([])
    spans.take(notice(false, 2, 'left'), 0, at(2))
    expect(spans.advance(at(10))).toEqual([])
    spans.take(notice(false, 11, 'right'), 0, at(11))
    expect(spans.advance(at(13))).toEqual([end(11)])
  })

  test('that begins again within two seconds is the same', () => {
    const spans = new MotionSpans()
    spans.take(notice(true, 0), 0, at(0))
    spans.take(notice(false, 1), 0, at(1))
    expect(spans.take(notice(true, 2), 0, at(2))).toEqual([])
    expect(spans.advance(at(9))).toEqual([])
  })

  test('of which no end is reported is over after 30 seconds', () => {
    const spans = new MotionSpans()
    spans.take(notice(true, 0), 0, at(0))
    expect(spans.advance(at(29))).toEqual([])
    expect(spans.advance(at(33))).toEqual([end(30)])
  })

  test('lasts longer if the camera is known to report ends, but not when it can’t be heard', () => {
    const spans = new MotionSpans()
    spans.take(notice(true, 0), 0, at(0))
    spans.take(notice(false, 5), 0, at(5))
    spans.advance(at(10))
    spans.take(notice(true, 20), 0, at(20))
    expect(spans.advance(at(300))).toEqual([])
    spans.lost(at(300))
    expect(spans.advance(at(333))).toEqual([end(330)])
  })

  test('has the camera’s time less its offset, or the time of arrival if they differ by more than five seconds', () => {
    const hour = 3600
    expect(new MotionSpans().take(notice(true, hour + 7), hour * 1000, at(10))).toEqual([begin(7, at(hour + 7))])
    expect(new MotionSpans().take(notice(true, hour + 4), hour * 1000, at(10))).toEqual([begin(10, at(hour + 4))])
    expect(new MotionSpans().take(notice(true, hour + 14), hour * 1000, at(10))).toEqual([begin(10, at(hour + 14))])
    expect(new MotionSpans().take(notice(true, undefined), 0, at(10))).toEqual([
      { kind: 'begin', at: at(10), cameraTime: undefined },
    ])
  })

  test('an end without a beginning is ignored, and current motion ends with the last call', () => {
    const spans = new MotionSpans()
    expect(spans.take(notice(false, 0), 0, at(0))).toEqual([])
    spans.take(notice(true, 1), 0, at(1))
    expect(spans.stop(at(4))).toEqual([end(4)])
    expect(spans.stop(at(5))).toEqual([])
  })
})
