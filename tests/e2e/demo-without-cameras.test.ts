import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import { expect, test } from 'vitest'
import { startProduct } from '../running-product.ts'
import { callApi, fetchToken } from '../signed-in.ts'

test('with demo cameras off, the cameras exist but are offline, not recorded and have no processes', async () => {
  await using product = await startProduct({ environment: { SIGHTLINE_DEMO_CAMERAS: 'off' } })
  const token = await fetchToken(product.origin, 'owner@demo.example')
  const cameras = await callApi<Camera[]>(product.origin, token, 'GET cameras')
  expect(cameras.body).toHaveLength(4)
  const statuses = async () => (await callApi<CameraStatus[]>(product.origin, token, 'GET cameras/all/status')).body
  await expect
    .poll(async () => (await statuses()).map(({ online, recordingOnCloud }) => [online, recordingOnCloud]))
    .toEqual(cameras.body.map(() => [false, false]))
  expect(product.output()).not.toMatch(/simulated cameras|camera is online/)
  expect(product.output()).not.toMatch(/^\d\d:\d\d:\d\d [!✗] /m)
})
