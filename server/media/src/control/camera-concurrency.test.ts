import { expect, test } from 'vitest'
import { cameraConcurrency } from './camera-concurrency.ts'

test('hundreds of cameras that connect together are asked a few at a time, in order of arrival, and a failure lets the next begin', async () => {
  const { limitAsking } = cameraConcurrency()
  const asked: number[] = []
  let running = 0
  let most = 0
  const results = await Promise.allSettled(
    Array.from({ length: 300 }, (_, camera) =>
      limitAsking(async () => {
        asked.push(camera)
        most = Math.max(most, ++running)
        await Promise.resolve()
        running--
        if (camera % 7 === 0) throw new Error('the camera does not answer')
        return camera
      }),
    ),
  )
  expect(most).toBe(4)
  expect(asked).toEqual(Array.from({ length: 300 }, (_, camera) => camera))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(43)
})
