import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkedConnect, fault } from '../source/index.ts'
import { identifyCamera, outcomeOfFault, outcomeOfState } from './camera-addition.ts'

const connect = checkedConnect({ allowed: ['127.0.0.0/8'] })
const { signal } = new AbortController()

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
      camera: { address: '127.0.0.1', namedPort, allowBasic: false, input: 1 },
      credentials: { username: 'viewer', password },
      connect,
      signal,
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
  })

  test('with a wrong password it says so', async () => {
    expect(await identify('wrong')).toMatchObject({ ok: false, failure: { kind: 'credentialsIncorrect' } })
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
      camera: { address: '127.0.0.1', namedPort, allowBasic: false, input },
      credentials,
      connect,
      signal,
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
  const camera = { address: '192.168.1.64', namedPort: null, allowBasic: false, input: 1 }
  const found = await identifyCamera({ camera, credentials: undefined, connect: strict, signal })
  expect(found).toMatchObject({ ok: false, failure: { kind: 'addressRefused' } })
})

describe('the outcome of an addition', () => {
  test.each([
    ['credentialsIncorrect', 'credentialsIncorrect'],
    ['addressRefused', 'addressNotAllowed'],
    ['unsupportedCodec', 'unsupportedDevice'],
    ['noVideo', 'unsupportedDevice'],
  ] as const)('%s ends it at once', (kind, subStatus) => {
    expect(outcomeOfFault(fault(kind, ''), 0)).toEqual({ status: 'failure', subStatus })
  })

  test.each([
    ['unreachable', 'deviceOffline'],
    ['timeout', 'deviceOffline'],
    ['badReply', 'unsupportedDevice'],
  ] as const)('%s may pass for 20 seconds', (kind, subStatus) => {
    expect(outcomeOfFault(fault(kind, ''), 19_999)).toBeUndefined()
    expect(outcomeOfFault(fault(kind, ''), 20_000)).toEqual({ status: 'failure', subStatus })
  })

  test('video ends it well, whenever it comes', () => {
    expect(outcomeOfState({ kind: 'online', tracks: [] }, 60_000)).toEqual({ status: 'added', subStatus: 'none' })
    expect(outcomeOfState({ kind: 'connecting', attempt: 0 }, 60_000)).toBeUndefined()
  })
})
