import { describe, expect, test } from 'vitest'
import { type Tail, toSums } from './sums.ts'

const HOUR = 3_600_000
const question = { from: 0, till: 3 * HOUR, intervalMs: HOUR, now: 10 * HOUR }
const nothing: Tail = { last: undefined, open: [] }
const open = (start: number, end: number) => ({ start, end, kind: 'continuous' as const, locked: false })
const recorded = (number: number, ms: number) =>
  ({ layer: 'recorded', reason: '', intervals: [{ number, ms }] }) as const

describe('sums of a timeline', () => {
  test('are zero where nothing was recorded and nothing is missing', () => {
    expect(toSums([], nothing, question)).toEqual({ recorded: [0, 0, 0], gaps: {} })
  })
  test('have one value per interval and layer; a gap never disappears by rounding', () => {
    const stored = [
      recorded(1, 3_599_700),
      { layer: 'gap', reason: 'network', intervals: [{ number: 1, ms: 300 }] },
      { layer: 'locked', reason: '', intervals: [{ number: 1, ms: 60_000 }] },
    ] as const
    expect(toSums(stored, nothing, question)).toEqual({
      recorded: [0, 3600, 0],
      locked: [0, 60, 0],
      gaps: { network: [0, 1, 0] },
    })
  })
  test('contain the open run and the gap before it', () => {
    const tail = { last: { end: HOUR / 2, endReason: 'restart' }, open: [open(HOUR, 1.5 * HOUR)] }
    expect(toSums([recorded(0, HOUR / 2)], tail, question)).toEqual({
      recorded: [1800, 1800, 0],
      gaps: { restart: [1800, 0, 0] },
    })
  })
  test('an event that is being recorded and locked is in all its layers', () => {
    const tail = { last: undefined, open: [{ ...open(HOUR, 2.5 * HOUR), kind: 'event' as const, locked: true }] }
    expect(toSums([], tail, question)).toEqual({
      recorded: [0, 3600, 1800],
      event: [0, 3600, 1800],
      locked: [0, 3600, 1800],
      gaps: {},
    })
  })
  test('a camera that stopped recording has a gap up to now, not beyond', () => {
    const tail = { last: { end: HOUR, endReason: 'cameraOffline' }, open: [] }
    expect(toSums([], tail, { ...question, now: 1.25 * HOUR }).gaps).toEqual({ cameraOffline: [0, 900, 0] })
    expect(toSums([], tail, question).gaps).toEqual({ cameraOffline: [0, 3600, 3600] })
  })
  test('a cause that this version does not know is unknown', () => {
    const tail = { last: { end: 2 * HOUR, endReason: 'gremlins' }, open: [] }
    expect(toSums([], tail, question).gaps).toEqual({ unknown: [0, 0, 3600] })
  })
})
