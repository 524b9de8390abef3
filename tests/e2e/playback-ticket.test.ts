import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watch } from '../chaos/viewer.ts'
import { startProduct } from '../running-product.ts'
import { callApi, tokenOf } from '../signed-in.ts'

test('a playback ticket plays from its moment at the address that was handed out, without more', async () => {
  await using product = await startProduct()
  const { origin } = product
  const token = await tokenOf(origin, 'owner@demo.example')
  const [camera] = (await callApi<{ cameraId: number }[]>(origin, token, 'GET cameras')).body
  const cameraId = camera?.cameraId ?? 0
  await using live = watch({ origin, cameraId, credential: { accessToken: token } })
  await expect.poll(() => live.pictures.length, { timeout: 30_000 }).toBeGreaterThan(0)
  const recordedAt = Date.now()
  // Long enough to tell that moment from the present.
  await sleep(5000)
  const from = new Date(recordedAt).toISOString()
  const path = `cameras/${cameraId}/streamTickets`
  const { body } = await callApi<{ ticket: string }>(origin, token, `POST ${path}`, { use: 'playback', from })
  await using viewer = watch({ origin, cameraId, credential: body })
  await expect.poll(() => viewer.pictures.length, { timeout: 30_000 }).toBeGreaterThan(0)
  const [init, position] = viewer.messages.filter(({ type }) => type !== 'gap')
  expect(init).toMatchObject({ type: 'init', mime: expect.stringContaining('video/mp4') })
  expect(position?.type === 'pos' && Math.abs(position.wallclock - recordedAt)).toBeLessThan(3000)
  await using again = watch({ origin, cameraId, credential: body })
  expect(await again.ended).toBe(9)
})
