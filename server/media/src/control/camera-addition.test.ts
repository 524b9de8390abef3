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
      camera: { address: '127.0.0.1', namedPort, allowBasic: false },
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

test('an address that may not be reached is never connected to', async () => {
  const strict = checkedConnect({ allowed: [] })
  const camera = { address: '192.168.1.64', namedPort: null, allowBasic: false }
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
