import { expect, test } from 'vitest'
import { pointInPicture, stickSpeed } from './picture-point.ts'

test('a click is a point of the picture, whatever bars are beside it', () => {
  const wide = { width: 1600, height: 900 }
  expect(pointInPicture({ x: 200, y: 100 }, { width: 400, height: 400 }, wide)).toMatchObject({ x: 0.5 })
  expect(pointInPicture({ x: 100, y: 200 }, { width: 400, height: 400 }, wide)).toEqual({ x: 0.25, y: 0.5 })
  expect(pointInPicture({ x: 0, y: 0 }, { width: 160, height: 90 }, wide)).toEqual({ x: 0, y: 0 })
})

test('a click beside the picture is none', () => {
  expect(pointInPicture({ x: 200, y: 20 }, { width: 400, height: 400 }, { width: 16, height: 9 })).toBeUndefined()
})

test('a joystick is still in its middle, exact near it and fast at its edge', () => {
  expect(stickSpeed(0.05, -0.05)).toEqual({ pan: 0, tilt: 0 })
  expect(stickSpeed(1, 0).pan).toBe(1)
  expect(stickSpeed(0, -1).tilt).toBe(1)
  expect(stickSpeed(0, 3).tilt).toBe(-1)
  expect(stickSpeed(0.3, 0).pan).toBeLessThan(0.15)
})
