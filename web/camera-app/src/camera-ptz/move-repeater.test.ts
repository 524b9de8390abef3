import type { PtzActionBody } from '@sightline/contract/camera-ptz'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MoveRepeater } from './move-repeater.ts'

let sent: PtzActionBody[] = []
let failures: unknown[] = []
let answer: () => Promise<unknown>
beforeEach(() => {
  vi.useFakeTimers()
  sent = []
  failures = []
  answer = async () => undefined
})
afterEach(() => vi.useRealTimers())

const opened = () =>
  new MoveRepeater(
    (action) => {
      sent.push(action)
      return answer()
    },
    (error) => failures.push(error),
  )
const right = { pan: 1, tilt: 0, zoom: 0 }
const left = { pan: -1, tilt: 0, zoom: 0 }

test('a move is sent at once, again three times a second, and ended by one stop', async () => {
  const repeater = opened()
  repeater.move(right)
  expect(sent).toMatchObject([{ action: 'move', pan: 1, sequence: 1 }])
  await vi.advanceTimersByTimeAsync(900)
  repeater.stop()
  repeater.stop()
  await vi.advanceTimersByTimeAsync(5000)
  expect(sent.map(({ action }) => action)).toEqual(['move', 'move', 'move', 'move', 'stop'])
  expect(sent.at(-1)).toMatchObject({ sequence: 5 })
})

test('another direction is sent soon, but not with each movement of a finger', async () => {
  const repeater = opened()
  repeater.move(right)
  for (let step = 1; step <= 9; step++) {
    repeater.move({ pan: 1 - step / 10, tilt: 0, zoom: 0 })
    await vi.advanceTimersByTimeAsync(10)
  }
  await vi.advanceTimersByTimeAsync(20)
  expect(sent).toHaveLength(2)
  expect(sent[1]).toMatchObject({ action: 'move', pan: expect.closeTo(0.1) })
  repeater.stop()
})

test('no speed is a stop', () => {
  const repeater = opened()
  repeater.move({ pan: 0, tilt: 0, zoom: 0 })
  expect(sent).toEqual([])
  repeater.move(left)
  repeater.move({ pan: 0, tilt: 0, zoom: 0 })
  expect(sent.map(({ action }) => action)).toEqual(['move', 'stop'])
})

test('a move that fails ends the moving and is told once', async () => {
  answer = async () => {
    throw new Error('busy')
  }
  const repeater = opened()
  repeater.move(right)
  await vi.advanceTimersByTimeAsync(2000)
  expect(sent).toHaveLength(1)
  expect(failures).toHaveLength(1)
  expect(repeater.isMoving).toBe(false)
})

test('on a network that is too slow, moves don’t pile up', async () => {
  answer = () => new Promise(() => undefined)
  const repeater = opened()
  repeater.move(right)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(sent).toHaveLength(4)
  repeater.stop()
  expect(sent.at(-1)).toMatchObject({ action: 'stop' })
})

test('two windows have different movers', () => {
  opened().move(right)
  opened().move(right)
  expect(sent[0]).not.toMatchObject({ mover: sent[1] && 'mover' in sent[1] ? sent[1].mover : undefined })
})
