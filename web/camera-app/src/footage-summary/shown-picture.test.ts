import { expect, test } from 'vitest'
import { shownPicture } from './shown-picture.ts'

const pictures = [1000, 2000, 5000]
const at = (position: number, length = 30) => shownPicture(pictures, { position, length })

test('each picture of a summary is shown equally long', () => {
  expect([0, 9.9, 10, 19.9, 20, 29.9].map((position) => at(position))).toEqual([1000, 1000, 2000, 2000, 5000, 5000])
})

test('the ends are the first and the last picture, also before the length is known', () => {
  expect([at(30), at(31), at(-1), at(0, 0), at(0, Number.NaN)]).toEqual([5000, 5000, 1000, 1000, 1000])
  expect(shownPicture([], { position: 1, length: 30 })).toBeUndefined()
})
