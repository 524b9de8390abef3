import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccessUnit } from '../../frame/index.ts'
import { checkedConnect } from '../camera-address.ts'
import { replayRtsp } from '../rtsp/replay-rtsp.ts'
import { findCardRecordings, findReplayAddress } from './card-recordings.ts'
import { formatCard, readCards } from './edge-storage.ts'
import { OnvifCommander } from './onvif-commander.ts'

const connect = checkedConnect({ allowed: ['127.0.0.0/8'] })
const { signal } = new AbortController()
const credentials = { username: 'viewer', password: 'right' }
/** The camera's clock is wrong by so much. */
const AHEAD_MS = 7 * 60_000
let simulator: SimulatorProcess

beforeAll(async () => {
  const clips = await sceneClips('car-park')
  const common = { ...credentials, clips }
  simulator = await launchSimulator({
    cameras: [
      { ...common, name: 'Card', mac: '02:00:00:00:00:41', card: { formatMs: 500 } },
      { ...common, name: 'Profile G only', mac: '02:00:00:00:00:42', card: { isapi: false } },
      { ...common, name: 'Nothing', mac: '02:00:00:00:00:43' },
      ...(['jobs', 'sources', 'nothing', 'oneJob'] as const).map((tiedBy, at) => {
        return {
          ...common,
          name: `Recorder ${at}`,
          mac: `02:00:00:00:01:4${at}`,
          inputs: 3,
          card: { isapi: false, tiedBy },
        }
      }),
    ],
  })
})
afterAll(() => simulator.stop())

function deviceOf(index: number, stream = { mainPath: '/main', input: 1 }): OnvifCommander {
  const port = simulator.cameras[index]?.onvifPort ?? 0
  return new OnvifCommander({
    address: { host: '127.0.0.1', port, path: '/onvif/device_service' },
    credentials,
    connect,
    stream,
  })
}

const cardsOf = async (index: number) => {
  const cards = await readCards(deviceOf(index), signal)
  if (!cards.ok) throw new Error(cards.failure.detail)
  return cards.value
}

test('a card with its size and what is on it; one that ONVIF alone tells of; and a camera that has none', async () => {
  expect(await cardsOf(0)).toMatchObject([
    {
      edgeStorageId: 1,
      state: 'ok',
      capacityMiB: 60_000,
      usedMiB: 20_000,
      inUse: true,
      formatted: true,
      formattable: true,
    },
  ])
  const [card] = await cardsOf(1)
  expect(card).toMatchObject({ edgeStorageId: 0, capacityMiB: null, usedMiB: null, inUse: true, formattable: false })
  expect(Math.abs((card?.recordedUntil ?? 0) - Date.now())).toBeLessThan(2000)
  expect(await readCards(deviceOf(2), signal)).toMatchObject({ ok: false, failure: { isUnsupported: true } })
})

test('a card is formatted: it says so meanwhile, and is empty afterwards', async () => {
  expect(await formatCard(deviceOf(1), 0, signal)).toMatchObject({ ok: false, failure: { isUnsupported: true } })
  expect(await formatCard(deviceOf(0), 7, signal)).toMatchObject({ ok: false, failure: { isUnsupported: true } })
  expect(await formatCard(deviceOf(0), 1, signal)).toMatchObject({ ok: true })
  expect(await cardsOf(0)).toMatchObject([{ state: 'formatting' }])
  await expect.poll(() => cardsOf(0), { timeout: 5000 }).toMatchObject([{ state: 'ok', usedMiB: 0 }])
})

test('what is on a card is replayed with the time of each picture, by our clock although the camera’s is wrong', async () => {
  await simulator.fault('02:00:00:00:00:42', { kind: 'clock-jump', byMs: AHEAD_MS })
  const device = deviceOf(1)
  await device.client.readClock()
  expect(Math.abs(device.client.clockAheadMs - AHEAD_MS)).toBeLessThan(1000)
  const found = await findCardRecordings(device, signal, { ofInput: false })
  if (!found.ok) throw new Error(found.failure.detail)
  const [recording] = found.value
  if (recording === undefined) throw new Error('no recording')
  expect(Math.abs(recording.until - Date.now())).toBeLessThan(3000)
  const address = await findReplayAddress(device, recording, signal)
  if (!address.ok) throw new Error(address.failure.detail)
  const from = Date.now() - 120_000
  const to = from + 20_000
  const units: AccessUnit[] = []
  const heard: AccessUnit[] = []
  const began = performance.now()
  const replayed = await replayRtsp({
    address: address.value,
    credentials,
    allowBasic: false,
    connect,
    pin: { sha256: undefined },
    signal,
    from,
    to,
    clockAheadMs: device.client.clockAheadMs,
    received: () => undefined,
    picture: (unit) => units.push(unit) > 0,
    sound: (unit) => heard.push(unit),
  })
  expect(replayed).toEqual({ ok: true, value: 'ended' })
  // Faster than it was recorded.
  expect(performance.now() - began).toBeLessThan(15_000)
  const [first, last] = [units[0], units.at(-1)]
  expect(first?.isKey).toBe(true)
  expect(first?.wallClock).toBeLessThanOrEqual(from + 1500)
  expect(first?.wallClock).toBeGreaterThan(from - 10_000)
  expect(last?.wallClock).toBeGreaterThan(to - 1500)
  expect(last?.wallClock).toBeLessThanOrEqual(to + 1500)
  const steps = units.slice(1).map((unit, at) => unit.wallClock - (units[at]?.wallClock ?? 0))
  expect(Math.max(...steps)).toBeLessThan(200)
  expect(Math.min(...steps)).toBeGreaterThan(0)
  // The sound of the same time, though it came between the pictures and not at its own pace.
  expect(heard.length).toBeGreaterThan(100)
  expect(Math.abs((heard[0]?.wallClock ?? 0) - from)).toBeLessThan(500)
  expect(Math.abs((heard.at(-1)?.wallClock ?? 0) - to)).toBeLessThan(500)
  const soundSteps = heard.slice(1).map((unit, at) => unit.wallClock - (heard[at]?.wallClock ?? 0))
  expect(Math.max(...soundSteps)).toBeLessThan(200)
})

test('a camera that falls silent in the middle is told from one that has sent everything', async () => {
  const device = deviceOf(1)
  await device.client.readClock()
  const found = await findCardRecordings(device, signal, { ofInput: false })
  const recording = found.ok ? found.value[0] : undefined
  const address = recording && (await findReplayAddress(device, recording, signal))
  if (address?.ok !== true) throw new Error('no recording')
  const from = Date.now() - 110_000
  const replay = (picture: (unit: AccessUnit) => boolean) =>
    replayRtsp({
      address: address.value,
      credentials,
      allowBasic: false,
      connect,
      pin: { sha256: undefined },
      signal,
      from,
      to: from + 100_000,
      clockAheadMs: device.client.clockAheadMs,
      received: () => undefined,
      picture,
    })
  let count = 0
  let stalled: Promise<void> | undefined
  const broken = await replay(() => {
    stalled ??= simulator.fault('02:00:00:00:00:42', { kind: 'stall' })
    count++
    return true
  })
  await stalled
  await simulator.heal('02:00:00:00:00:42')
  expect(broken).toEqual({ ok: true, value: 'silent' })
  expect(count).toBeGreaterThan(0)
  // Its clock is right again.
  await device.client.readClock()
  expect(await replay(() => false)).toEqual({ ok: true, value: 'ended' })
}, 30_000)

test.each([
  ['recording jobs', 3],
  ['the source of each recording', 4],
])('an input of a recorder has its own recording only, by %s', async (_, index) => {
  for (const input of [1, 2, 3]) {
    const device = deviceOf(index, { mainPath: input === 1 ? '/main' : `/main?input=${input}`, input })
    const found = await findCardRecordings(device, signal, { ofInput: true })
    if (!found.ok) throw new Error(found.failure.detail)
    expect(found.value.map(({ token }) => token)).toEqual([input === 1 ? 'card-recording' : `card-recording${input}`])
    const address = found.value[0] && (await findReplayAddress(device, found.value[0], signal))
    expect(address).toMatchObject({ ok: true, value: { path: input === 1 ? '/card' : `/card?input=${input}` } })
  }
})

test.each([
  ['doesn’t say which recording is of which input', 5],
  ['records several inputs into one', 6],
])('a recorder that %s is refused, also for the first input', async (_, index) => {
  for (const input of [1, 2]) {
    const device = deviceOf(index, { mainPath: input === 1 ? '/main' : `/main?input=${input}`, input })
    expect(await findCardRecordings(device, signal, { ofInput: true })).toMatchObject({
      ok: false,
      failure: { isUnsupported: true, detail: expect.stringContaining('which of its recordings') },
    })
  }
})
