import { expect, test } from 'vitest'
import type { AccessUnit } from '../frame/index.ts'
import { PictureFeed } from './picture-feed.ts'

/** A camera with 10 pictures per second; numbers are pictures. */
function camera(gop: number) {
  const pushed: number[] = []
  const feed = new PictureFeed({ push: (picture) => void pushed.push(picture.wallClock / 100) })
  const unit = (number: number): AccessUnit => ({
    kind: 'video',
    time: number * 9000,
    wallClock: number * 100,
    isKey: number % gop === 0,
    units: [],
  })
  return {
    feed,
    pushed,
    show(from: number, till: number) {
      for (let number = from; number < till; number++) feed.add(unit(number))
    },
  }
}

test('a quiet camera is decoded by its key pictures, each with the one after it', () => {
  const { show, pushed } = camera(20)
  show(0, 60)
  expect(pushed).toEqual([0, 1, 20, 21, 40, 41])
})

test('when something may move, nothing since the last key picture is missing, and nothing after it', () => {
  const { feed, show, pushed } = camera(20)
  show(0, 26)
  feed.alert(true)
  show(26, 42)
  const all = Array.from({ length: 22 }, (_, at) => 20 + at)
  expect(pushed).toEqual([0, 1, ...all])
})

test('after the alert no picture is decoded without those before it', () => {
  const { feed, show, pushed } = camera(20)
  feed.alert(true)
  show(0, 5)
  feed.alert(false)
  show(5, 10)
  expect(pushed).toEqual([0, 1, 2, 3, 4])
  feed.alert(true)
  expect(pushed).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('a camera that sends key pictures rarely is decoded as a whole', () => {
  const { show, pushed } = camera(100)
  show(0, 100)
  expect(pushed).toHaveLength(100)
})
