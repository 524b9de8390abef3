import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkedConnect } from '../camera-address.ts'
import { changeUsers, type OpenedUserChange, readUsers } from './camera-users.ts'
import { OnvifCommander } from './onvif-commander.ts'

const connect = checkedConnect({ allowed: ['127.0.0.0/8'] })
const { signal } = new AbortController()
const admin = { username: 'admin', password: 'right' }
let simulator: SimulatorProcess

beforeAll(async () => {
  const common = { ...admin, clips: await sceneClips('car-park') }
  simulator = await launchSimulator({
    cameras: [
      { ...common, name: 'Talkative', mac: '02:00:00:00:00:61', users: { tellsPasswords: true } },
      { ...common, name: 'Strict', mac: '02:00:00:00:00:62', users: { minLength: 8, maxLength: 12, most: 2 } },
      { ...common, name: 'Stubborn', mac: '02:00:00:00:00:64', users: { keepsPasswords: true } },
      { ...common, name: 'Operator', mac: '02:00:00:00:00:63', users: { level: 'Operator' } },
    ],
  })
})
afterAll(() => simulator.stop())

function deviceOf(index: number, credentials = admin): OnvifCommander {
  const address = { host: '127.0.0.1', port: simulator.cameras[index]?.onvifPort ?? 0, path: '/onvif/device_service' }
  return new OnvifCommander({ address, credentials, connect, stream: { mainPath: '/main', input: 1 } })
}

const change = (index: number, wanted: OpenedUserChange) => changeUsers(deviceOf(index), wanted, signal)
const guard = { kind: 'add', username: 'Wache & <Co>', password: 'p&ss <1>', level: 'operator' } as const

test('a user is added, signs in, gets another level and password, and is removed; no password is read', async () => {
  const listed = [
    { username: 'admin', level: 'administrator' },
    { username: guard.username, level: 'operator' },
  ]
  expect(await change(0, guard)).toEqual({ ok: true, value: { kind: 'changed', users: listed } })
  expect(await readUsers(deviceOf(0, guard), signal)).toEqual({ ok: true, value: listed })
  const { username } = guard
  const raised = await change(0, { kind: 'set', username, password: null, level: 'administrator' })
  expect(raised).toMatchObject({ value: { users: [{}, { level: 'administrator' }] } })
  expect(await readUsers(deviceOf(0, guard), signal)).toMatchObject({ ok: true })
  const renewed = await change(0, { kind: 'set', username, password: 'another', level: null })
  expect(renewed).toMatchObject({ value: { users: [{}, { level: 'administrator' }] } })
  expect(await readUsers(deviceOf(0, guard), signal)).toMatchObject({ failure: { kind: 'credentialsIncorrect' } })
  expect(await readUsers(deviceOf(0, { username, password: 'another' }), signal)).toMatchObject({ ok: true })
  expect(await change(0, { kind: 'remove', username })).toEqual({
    ok: true,
    value: { kind: 'changed', users: listed.slice(0, 1) },
  })
})

test.each([
  [{ ...guard, password: 'short' }, 'passwordTooWeak'],
  [{ ...guard, password: 'much too long' }, 'passwordTooLong'],
  [{ ...guard, username: 'admin', password: 'password' }, 'usernameTaken'],
  [{ kind: 'remove', username: 'nobody' }, 'userUnknown'],
  [{ kind: 'remove', username: 'admin' }, 'userFixed'],
  [{ kind: 'set', username: 'nobody', password: 'password', level: null }, 'userUnknown'],
] as const)('what a camera refuses has a reason: %j, %s', async (wanted, reason) => {
  expect(await change(1, wanted)).toEqual({ ok: true, value: { kind: 'refused', reason } })
})

test('a camera that takes no more users says so', async () => {
  expect(await change(1, { ...guard, username: 'second', password: 'password' })).toMatchObject({
    value: { kind: 'changed' },
  })
  expect(await change(1, { ...guard, username: 'third', password: 'password' })).toEqual({
    ok: true,
    value: { kind: 'refused', reason: 'tooManyUsers' },
  })
})

test('a camera that accepts another password and keeps the old one is noticed; another level is set all the same', async () => {
  expect(await change(2, guard)).toMatchObject({ value: { kind: 'changed' } })
  const { username } = guard
  const renewed = await change(2, { kind: 'set', username, password: 'another', level: 'user' })
  expect(renewed).toMatchObject({ value: { kind: 'changed', passwordIgnored: true, users: [{}, { level: 'user' }] } })
  // The one that it has is taken as a new one.
  const same = await change(2, { kind: 'set', username, password: guard.password, level: null })
  expect(same.ok && same.value).not.toHaveProperty('passwordIgnored')
})

test('who is no administrator of the camera changes nothing', async () => {
  expect(await change(3, guard)).toMatchObject({ ok: false, failure: { kind: 'credentialsIncorrect' } })
})
