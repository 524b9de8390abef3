import { expect, test } from 'vitest'
import { FootageFit } from './footage-fit.ts'

const STEP_MS = 100
const MINUTE = 60_000

/** Playback as an animation frame after the other asks about it. */
function playback() {
  const fit = new FootageFit()
  let now = 0
  return {
    fit,
    /** The streams that it changed to meanwhile. */
    pass(ms: number, { isWaiting = false, isMissing = false }) {
      const changes: string[] = []
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        now += STEP_MS
        const next = fit.next({ isWaiting, isMissing }, now)
        if (next !== undefined) changes.push(next)
      }
      return changes
    },
  }
}
const waiting = { isWaiting: true }
const playing = { isWaiting: false }

test('footage that waits again and again is shown smaller, one short wait isn’t enough', () => {
  const footage = playback()
  footage.pass(5000, playing)
  expect(footage.pass(2500, waiting)).toEqual([])
  expect(footage.pass(MINUTE, playing)).toEqual([])
  expect(footage.pass(1500, waiting)).toEqual([])
  expect(footage.pass(6000, playing)).toEqual([])
  expect(footage.pass(2000, waiting)).toEqual(['sub'])
})

test('loading after a jump isn’t a slow connection, unless it takes long', () => {
  const footage = playback()
  for (let jumps = 0; jumps < 20; jumps++) {
    footage.fit.load()
    expect(footage.pass(3000, waiting)).toEqual([])
    expect(footage.pass(200, playing)).toEqual([])
  }
  footage.fit.load()
  expect(footage.pass(8000, waiting)).toEqual(['sub'])
})

test('a page that stood still didn’t wait for the network', () => {
  const fit = new FootageFit()
  fit.next(still(false), 0)
  for (let now = MINUTE; now < 5 * MINUTE; now += MINUTE) expect(fit.next(still(true), now)).toBeUndefined()
})
const still = (isWaiting: boolean) => ({ isWaiting, isMissing: false })

test('the large stream is tried again after a minute without a wait, and twice as late each time', () => {
  const footage = playback()
  footage.pass(200, playing)
  expect(footage.pass(3500, waiting)).toEqual(['sub'])
  expect(footage.pass(30_000, playing)).toEqual([])
  expect(footage.pass(200, waiting)).toEqual([])
  expect(footage.pass(MINUTE - 1000, playing)).toEqual([])
  expect(footage.pass(2000, playing)).toEqual(['main'])
  expect(footage.pass(3500, waiting)).toEqual(['sub'])
  expect(footage.pass(2 * MINUTE - 1000, playing)).toEqual([])
  expect(footage.pass(2000, playing)).toEqual(['main'])
})

test('where the small stream wasn’t recorded, the large one is shown, and not left again for a minute', () => {
  const footage = playback()
  footage.pass(200, playing)
  expect(footage.pass(3500, waiting)).toEqual(['sub'])
  expect(footage.pass(100, { isMissing: true })).toEqual(['main'])
  expect(footage.pass(MINUTE - 1000, waiting)).toEqual([])
  expect(footage.pass(8000, waiting)).toEqual(['sub'])
})
