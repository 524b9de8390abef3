/** Relays and inputs of a camera, from the camera through the worker that owns it to the API's answer. */
import type { CameraPort } from '@sightline/contract/camera-io'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

let watched: WatchedCamera
let worker: MediaWorker | undefined

beforeAll(async () => {
  watched = await watchedCamera({
    media: { command: async (question) => (await worker?.command(question)) ?? { kind: 'cameraOffline' } },
    io: { relays: 2, inputs: 1, pulseSeconds: 1 },
  })
  await watched.api.owner.plain
    .updateTable('cameras')
    .set({ onvif_port: watched.camera.address.onvifPort })
    .where('camera_id', '=', watched.cameraId)
    .execute()
  worker = await watched.openWorker()
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched?.[Symbol.asyncDispose]()
})

const call = (request: string, body?: unknown) => watched.api.call(watched.token, request, body)
const path = () => `cameras/${watched.cameraId}/io`
const stateOf = async (portId: string) => ((await call(`GET ${path()}/${portId}`)).body as CameraPort).state

test('outputs and inputs are listed, and their states are known once events are followed', async () => {
  const ports = await until('the states are known', async () => {
    const { body } = await call(`GET ${path()}`)
    return Array.isArray(body) && body.every(({ state }) => state !== null) && body
  })
  expect(ports).toEqual([
    { portId: 'output-relay1', direction: 'output', state: 'inactive', name: null, pulseSeconds: null },
    { portId: 'output-relay2', direction: 'output', state: 'inactive', name: null, pulseSeconds: 1 },
    { portId: 'input-input1', direction: 'input', state: 'inactive', name: null, pulseSeconds: null },
  ])
  const abilities = await until('the camera was asked what it can do', async () => {
    const { body } = await call(`GET cameras/${watched.cameraId}/capabilities`)
    return body.askedAt !== null && body
  })
  expect(abilities.io).toBe('yes')
})

test('a contact that closes is seen within a second', async () => {
  watched.camera.io.setInput(1, true)
  const began = Date.now()
  await until('the input is active', async () => (await stateOf('input-input1')) === 'active')
  expect(Date.now() - began).toBeLessThan(1500)
  watched.camera.io.setInput(1, false)
  await until('the input is inactive', async () => (await stateOf('input-input1')) === 'inactive')
})

test('an output is switched in the camera and stays, and one with a pulse goes back by itself', async () => {
  expect(await call(`PATCH ${path()}/output-relay1`, { state: 'active' })).toMatchObject({ body: { state: 'active' } })
  expect(watched.camera.io.isActive('relay1')).toBe(true)
  expect(await stateOf('output-relay1')).toBe('active')
  await call(`PATCH ${path()}/output-relay2`, { state: 'active' })
  expect(watched.camera.io.isActive('relay2')).toBe(true)
  await until('the pulse is over', async () => (await stateOf('output-relay2')) === 'inactive')
  expect(watched.camera.io.isActive('relay1')).toBe(true)
  await call(`PATCH ${path()}/output-relay1`, { state: 'inactive' })
  expect(watched.camera.io.isActive('relay1')).toBe(false)
})

test('a camera that is off switches nothing (code 18)', async () => {
  await watched.camera.fault({ kind: 'refuse' })
  const reply = await until('it is off', async () => {
    const answer = await call(`PATCH ${path()}/output-relay1`, { state: 'active' })
    return answer.status !== 200 && answer
  })
  expect(reply).toMatchObject({ status: 424, body: { code: 18 } })
  await watched.camera.heal()
})
