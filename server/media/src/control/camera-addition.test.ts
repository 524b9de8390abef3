import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { createLogger } from '@sightline/platform/log'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkedConnect, fault } from '../source/index.ts'
import { AdditionSteps } from './addition-steps.ts'
import { watchAddition } from './addition-watch.ts'
import { getFailure, identifyCamera } from './camera-addition.ts'

const connect = checkedConnect({ allowed: ['127.0.0.0/8'] })
const { signal } = new AbortController()
const noSteps = () => new AdditionSteps(null, () => undefined)
/** What succeeded, one after the other. */
const steps: string[] = []
beforeEach(() => void steps.splice(0))

describe('a camera that answers ONVIF', () => {
  let simulator: SimulatorProcess
  let port: number
  beforeAll(async () => {
    const clips = await sceneClips('car-park')
    simulator = await launchSimulator({
      cameras: [{ name: 'Door', mac: '02:00:00:00:00:11', username: 'viewer', password: 'right', clips }],
    })
    port = simulator.cameras[0]?.onvifPort ?? 0
  })
  afterAll(() => simulator.stop())

  const identify = (password: string, namedPort = port) =>
    identifyCamera({
      camera: { address: '127.0.0.1', namedPort, allowBasic: false, input: 1, isSecure: false },
      credentials: { username: 'viewer', password },
      connect,
      signal,
      steps: new AdditionSteps(null, (step) => steps.push(step)),
    })

  test('says what it is, and where its main stream and its smaller one are', async () => {
    expect(await identify('right')).toEqual({
      ok: true,
      value: expect.objectContaining({
        rtspPort: simulator.cameras[0]?.rtspPort,
        mainPath: '/main',
        subPath: '/sub',
        onvif: { port, isSecure: false, certificate: undefined },
        brand: 'Sightline',
      }),
    })
    expect(steps).toEqual(['reachable', 'identified', 'signedIn', 'streams'])
  })

  test('with a wrong password it says so', async () => {
    expect(await identify('wrong')).toMatchObject({ ok: false, failure: { kind: 'credentialsIncorrect' } })
    expect(steps).toEqual(['reachable', 'identified'])
  })

  test('over TLS only, it is never asked without TLS', async () => {
    const camera = { address: '127.0.0.1', namedPort: port, allowBasic: false, input: 1, isSecure: true }
    const credentials = { username: 'viewer', password: 'right' }
    const found = await identifyCamera({ camera, credentials, connect, signal, steps: noSteps() })
    expect(found).toMatchObject({ ok: false })
    expect(simulator.cameras).toHaveLength(1)
  })

  test('at a port that is no ONVIF the reply is named', async () => {
    const found = await identify('right', simulator.cameras[0]?.rtspPort)
    expect(found).toMatchObject({ ok: false, failure: { kind: expect.stringMatching(/badReply|timeout/) } })
  })
})

test('a recorder: each of its inputs has streams of its own, and names of its own in events', async () => {
  const clips = await sceneClips('car-park')
  await using recorder = await launchSimulator({
    cameras: [{ name: 'Recorder', mac: '02:00:00:00:00:12', username: 'viewer', password: 'right', clips, inputs: 4 }],
  })
  const namedPort = recorder.cameras[0]?.onvifPort ?? 0
  const credentials = { username: 'viewer', password: 'right' }
  const identify = (input: number) =>
    identifyCamera({
      camera: { address: '127.0.0.1', namedPort, allowBasic: false, input, isSecure: false },
      credentials,
      connect,
      signal,
      steps: new AdditionSteps(null, (step) => steps.push(step)),
    })
  expect(await identify(1)).toMatchObject({
    ok: true,
    value: { mainPath: '/main', subPath: '/sub', inputs: 4, motionSources: ['source', 'source-main', 'source-sub'] },
  })
  expect(await identify(4)).toMatchObject({
    ok: true,
    value: {
      mainPath: '/main?input=4',
      subPath: '/sub?input=4',
      motionSources: ['source4', 'source-main4', 'source-sub4'],
    },
  })
  expect(await identify(5)).toMatchObject({
    ok: false,
    failure: { kind: 'unsupportedCodec', detail: 'expected input 5, the device has 4' },
  })
})

test('an address that may not be reached is never connected to', async () => {
  const strict = checkedConnect({ allowed: [] })
  const camera = { address: '192.168.1.64', namedPort: null, allowBasic: false, input: 1, isSecure: false }
  const found = await identifyCamera({ camera, credentials: undefined, connect: strict, signal, steps: noSteps() })
  expect(found).toMatchObject({ ok: false, failure: { kind: 'addressRefused' } })
})

describe('why an addition failed', () => {
  const late = { elapsedMs: 20_000, address: '10.1.2.3' }
  const early = { elapsedMs: 0, address: '10.1.2.3' }

  test.each([
    ['credentialsIncorrect', 'credentialsIncorrect'],
    ['addressRefused', 'addressNotAllowed'],
    ['unsupportedCodec', 'unsupportedDevice'],
    ['noVideo', 'unsupportedDevice'],
  ] as const)('%s ends it at once', (kind, subStatus) => {
    expect(getFailure(fault(kind, ''), { ...early, lastStep: null })).toBe(subStatus)
  })

  test.each([
    ['unreachable', 'deviceOffline'],
    ['timeout', 'deviceOffline'],
    ['badReply', 'unsupportedDevice'],
  ] as const)('%s may pass for 20 seconds', (kind, subStatus) => {
    expect(getFailure(fault(kind, ''), { ...late, elapsedMs: 19_999, lastStep: null })).toBeUndefined()
    expect(getFailure(fault(kind, ''), { ...late, lastStep: null })).toBe(subStatus)
  })

  test('a camera that broke off after it had spoken to us has a fault of its own', () => {
    expect(getFailure(fault('closed', ''), { ...late, lastStep: 'signedIn' })).toBe('deviceError')
    expect(getFailure(fault('closed', ''), { ...late, lastStep: 'reachable' })).toBe('unsupportedDevice')
  })

  test('a host name in a refused network looks like a camera that is off', () => {
    const refused = fault('addressRefused', '')
    const named = { lastStep: null, address: 'camera.internal' }
    expect(getFailure(refused, { ...named, elapsedMs: 0 })).toBeUndefined()
    expect(getFailure(refused, { ...named, elapsedMs: 20_000 })).toBe('deviceOffline')
  })
})

describe('the steps of a camera whose stream is played', () => {
  const camera = { cameraId: 1, address: '10.1.2.3', additionStatus: 'inProgress', additionStartedAt: 0 } as const
  const watch = (given: { now?: number; status?: 'inProgress' | 'validated' } = {}) => {
    const outcomes: unknown[] = []
    const addition = watchAddition({
      camera: { ...camera, additionStatus: given.status ?? 'inProgress' },
      saveStep: async (step) => void steps.push(step),
      saveOutcome: async (outcome) => void outcomes.push(outcome),
      certificate: () => undefined,
      log: createLogger({ level: 'silent', format: 'json', name: 'test' }),
      now: () => given.now ?? 0,
    })
    const play = () => {
      for (const step of ['connected', 'responded', 'accepted', 'playing'] as const) addition.step(step)
    }
    return { addition, outcomes, play }
  }
  const saved = () => new Promise((resolve) => setImmediate(resolve))

  test('it is added once its footage is on the disk, not with the first picture', async () => {
    const { addition, outcomes, play } = watch()
    play()
    addition.connection({ kind: 'online', tracks: [] })
    await saved()
    expect(steps).toEqual(['reachable', 'identified', 'signedIn', 'streams', 'samplePicture'])
    expect(outcomes).toEqual([])
    addition.recording({ kind: 'ok' })
    await saved()
    expect(outcomes).toEqual([{ status: 'added', subStatus: 'none', lastStep: 'recording', certificate: undefined }])
  })

  test.each(['off', 'standby'] as const)(
    'a camera that is not to be recorded now (%s) is added without',
    async (kind) => {
      const { addition, outcomes, play } = watch()
      addition.recording(kind === 'off' ? { kind, reason: 'mode' } : { kind })
      play()
      addition.connection({ kind: 'online', tracks: [] })
      await saved()
      expect(outcomes).toMatchObject([{ status: 'added', lastStep: 'samplePicture' }])
    },
  )

  test('the step that failed is that of the last try', async () => {
    const { addition, outcomes, play } = watch({ now: 20_000 })
    play()
    addition.step('connected')
    const cause = fault('credentialsIncorrect', '')
    addition.connection({ kind: 'offline', cause, retryInMs: 1 })
    await saved()
    expect(outcomes).toMatchObject([{ status: 'failure', subStatus: 'credentialsIncorrect', lastStep: 'identified' }])
  })

  test('what ONVIF found stays found if the stream then does not come', async () => {
    const { addition, outcomes } = watch({ now: 20_000, status: 'validated' })
    addition.connection({ kind: 'offline', cause: fault('unreachable', ''), retryInMs: 1 })
    await saved()
    expect(outcomes).toMatchObject([{ subStatus: 'deviceOffline', lastStep: 'streams' }])
  })
})
