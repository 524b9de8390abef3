import { type SimulatedCamera, startCameras } from '@sightline/camera-simulator'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkedConnect } from '../camera-address.ts'
import { OnvifCommander } from './onvif-commander.ts'
import { readAbilities } from './read-abilities.ts'
import { readVideoSettings, writeVideoSettings } from './video-settings.ts'

const connect = checkedConnect({ allowed: ['127.0.0.0/8'] })
const credentials = { username: 'viewer', password: 'right' }
type Settings = Parameters<typeof startCameras>[0]['cameras'][number]
type Quirks = Extract<Parameters<SimulatedCamera['fault']>[0], { kind: 'onvif-quirks' }>['quirks']

let stack: AsyncDisposableStack
let camera: SimulatedCamera
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  camera = await start()
})
afterEach(() => stack.disposeAsync())

async function start(settings: Partial<Settings> = {}): Promise<SimulatedCamera> {
  const clips = await sceneClips('car-park')
  const simulator = stack.use(
    await startCameras({ cameras: [{ name: 'Door', mac: '02:00:00:00:00:21', ...credentials, clips, ...settings }] }),
  )
  const [started] = simulator.cameras
  if (started === undefined) throw new Error('no camera')
  return started
}

const commanderOf = ({ address }: SimulatedCamera) =>
  new OnvifCommander({
    address: { host: '127.0.0.1', port: address.onvifPort, path: '/onvif/device_service' },
    credentials,
    connect,
    stream: { mainPath: '/main', input: 1 },
  })
const signal = AbortSignal.timeout(60_000)
const bad = (...quirks: Quirks) => camera.fault({ kind: 'onvif-quirks', quirks })
const abilities = async (of = camera) => {
  const read = await readAbilities(commanderOf(of), signal)
  if (!read.ok) throw new Error(read.failure.detail)
  return read.value
}
const video = async () => {
  const read = await readVideoSettings(commanderOf(camera), signal)
  if (!read.ok) throw new Error(read.failure.detail)
  return read.value
}
const change = async (patch: Parameters<typeof writeVideoSettings>[1]) => {
  const written = await writeVideoSettings(commanderOf(camera), patch, signal)
  if (!written.ok) throw new Error(written.failure.detail)
  return written.value
}

describe('what a camera can do', () => {
  test('is tried by its operations: yes and no come from answers of the camera, with what was tried', async () => {
    const found = await abilities()
    expect(found.abilities).toMatchObject({
      ptz: { state: 'no' },
      speaker: { state: 'no', tried: 'GetAudioOutputs: 0' },
      motionDetection: { state: 'yes', tried: 'GetEventProperties: RuleEngine/CellMotionDetector/Motion' },
      tripwire: { state: 'no' },
      wifi: { state: 'no', tried: 'GetDot11Capabilities: not supported' },
      mobile: { state: 'unknown' },
      edgeStorage: { state: 'no' },
      wdr: { state: 'yes' },
      imaging: { state: 'yes' },
      videoSettings: { state: 'yes' },
      firmwareUpgrade: { state: 'no' },
    })
    expect(found.codecs).toEqual(['H264'])
    expect(found.resolutions[0]).toBe('1920x1080')
    expect(found.services).toEqual(['media', 'media2', 'events', 'imaging'])
    expect(found.information).toEqual({
      brand: 'Sightline',
      model: 'Simulated Camera',
      firmwareVersion: '1.0.0',
      serial: '020000000021',
      ethMacAddress: '02:00:00:00:00:21',
    })
  })

  test('a loudspeaker is found', async () => {
    expect((await abilities(await start({ backChannel: 'PCMU' }))).abilities.speaker).toEqual({
      state: 'yes',
      tried: 'GetAudioOutputs: 1',
    })
  })

  test.each([
    [{ relays: 1, inputs: 0 }, 'yes', { outputs: 'yes', inputs: 'no' }],
    [{ relays: 0, inputs: 2 }, 'yes', { outputs: 'no', inputs: 'yes' }],
    [{ relays: 0, inputs: 0 }, 'no', { outputs: 'no', inputs: 'no' }],
  ])('inputs and outputs are separate abilities: %j', async (io, either, { inputs, outputs }) => {
    const found = await abilities(await start({ io: { ...io, pulseSeconds: 0 } }))
    expect(found.abilities).toMatchObject({
      io: { state: either },
      inputs: { state: inputs },
      outputs: { state: outputs },
    })
  })

  test('a service that is named and answers nothing is no ability', async () => {
    await bad('no-imaging')
    expect((await abilities()).abilities).toMatchObject({ imaging: { state: 'no' }, wdr: { state: 'no' } })
  })

  test('events that a camera refuses to describe are no abilities', async () => {
    await bad('no-events')
    expect((await abilities()).abilities.motionDetection).toEqual({
      state: 'no',
      tried: 'GetEventProperties: not supported',
    })
  })

  test.each<readonly [string, Quirks]>([
    ['has the older media service only in its list', ['media2-empty']],
    ['has Media2 only', ['media2-only']],
    ['writes other prefixes', ['other-prefixes', 'byte-order-mark', 'leading-blank']],
    ["doesn't know GetServices", ['no-get-services']],
  ])('a camera that %s is understood', async (_, quirks) => {
    await bad(...quirks)
    const found = await abilities()
    expect(found.abilities.videoSettings).toMatchObject({ state: 'yes' })
    expect(found.resolutions[0]).toBe('1920x1080')
  })
})

describe('the video of a camera', () => {
  test('is read with what it can be set to, and with a reason for each setting that it lacks', async () => {
    expect(await video()).toEqual({
      resolution: '1920x1080',
      framesPerSecond: expect.any(Number),
      keyframeInterval: 50,
      maxBandwidth: expect.any(Number),
      rotateImage: 0,
      antiFlicker: null,
      backlight: 'off',
      dayNight: 'auto',
      colorNightView: null,
      illumination: null,
      options: {
        resolution: ['1920x1080', expect.any(String)],
        framesPerSecond: { min: 1, max: 30 },
        keyframeInterval: { min: 1, max: 300 },
        maxBandwidth: { min: 64, max: 8192 },
        rotateImage: [0, 90, 180, 270],
        backlight: ['off', 'BLC', 'WDR'],
        dayNight: ['auto', 'day', 'night'],
        illumination: ['auto', 'on', 'off'],
      },
      unavailable: { antiFlicker: 'notStandard', colorNightView: 'notStandard' },
    })
  })

  test.each<readonly [string, Quirks]>([
    ['Media2', ['media2-only']],
    ['the older media service', ['media2-empty']],
  ])('is set by %s, and what was not named stays', async (_, quirks) => {
    await bad(...quirks)
    const before = await video()
    const after = await change({ framesPerSecond: 12, maxBandwidth: 1500, rotateImage: 180 })
    expect(after).toEqual({ ...before, framesPerSecond: 12, maxBandwidth: 1500, rotateImage: 180 })
    expect(camera.settings.encoders.get('main')).toMatchObject({ framesPerSecond: 12, kilobitsPerSecond: 1500 })
    expect(camera.settings.encoders.has('sub')).toBe(false)
  })

  test('gets another resolution', async () => {
    const [, smaller] = (await video()).options.resolution ?? []
    if (smaller === undefined) throw new Error('the camera has one resolution')
    expect(await change({ resolution: smaller })).toMatchObject({ resolution: smaller })
  })

  test('backlight is one of several things that exclude each other, and the filter stays', async () => {
    expect(await change({ backlight: 'WDR' })).toMatchObject({ backlight: 'WDR', dayNight: 'auto' })
    expect(camera.settings.imaging).toEqual({ backlight: 'OFF', wideDynamicRange: 'ON', irCut: 'AUTO' })
    expect(await change({ backlight: 'BLC', dayNight: 'night' })).toMatchObject({ backlight: 'BLC', dayNight: 'night' })
    expect(camera.settings.imaging).toEqual({ backlight: 'ON', wideDynamicRange: 'OFF', irCut: 'OFF' })
  })

  test('its lamp is switched, and nothing is claimed about it', async () => {
    expect(await change({ illumination: 'off' })).toMatchObject({ illumination: null })
    expect(camera.settings.lamp).toBe('tt:IRLamp|Off')
  })

  test('a camera that accepts a change and ignores it is shown as it is', async () => {
    await bad('settings-not-kept')
    const before = await video()
    expect(await change({ framesPerSecond: 12, backlight: 'WDR' })).toEqual(before)
  })

  test('a value that the camera refuses is a refusal, not a lack', async () => {
    const written = await writeVideoSettings(commanderOf(camera), { framesPerSecond: 500 }, signal)
    expect(written).toMatchObject({ ok: false, failure: { isRefusal: true, isUnsupported: false } })
  })

  test('without an imaging service, the rest can be set', async () => {
    await bad('no-imaging')
    expect(await video()).toMatchObject({
      backlight: null,
      unavailable: { backlight: 'notOffered', dayNight: 'notOffered' },
    })
    expect(await change({ framesPerSecond: 12 })).toMatchObject({ framesPerSecond: 12 })
  })
})
