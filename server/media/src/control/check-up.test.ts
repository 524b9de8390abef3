import type { CheckUpFinding } from '@sightline/contract/camera-check-ups'
import { expect, test } from 'vitest'
import {
  cardFinding,
  clockFinding,
  connectionFinding,
  keyframeFinding,
  lossFinding,
  type SignInFacts,
  signInFinding,
  subStreamFinding,
} from './check-up-findings.ts'
import type { HeardDetection } from './detections.ts'
import { measureMotion } from './motion-delay.ts'
import { StreamMeter } from './stream-meter.ts'

const brief = ({ outcome, reason, fix }: CheckUpFinding) => [outcome, reason, fix]
const TICKS_PER_MS = 90

/** Pictures of a stream, each as late as `late` says. */
function meterOf({
  every,
  pictures,
  late = () => 0,
}: {
  every: number
  pictures: number
  late?: (at: number) => number
}) {
  const meter = new StreamMeter(0)
  for (let at = 0; at < pictures; at++)
    meter.add({ time: at * 40 * TICKS_PER_MS, wallClock: 1000 + at * 40 + late(at), isKey: at % every === 0 })
  return meter
}

test('keyframes are measured by the camera’s own times, and one that never came again counts by how long it is missing', () => {
  expect(meterOf({ every: 50, pictures: 200 }).result.keyframeMs).toBe(2000)
  const rare = meterOf({ every: 1000, pictures: 200 })
  expect(rare.hasInterval).toBe(false)
  expect(rare.result.keyframeMs).toBe(7960)
  expect(meterOf({ every: 1000, pictures: 50 }).result.keyframeMs).toBeUndefined()
  expect(new StreamMeter(0).result).toEqual({ pictures: 0, keyframeMs: undefined, jitterMs: undefined })
})

test('a group of pictures that began before the check counts only until a whole one was measured', () => {
  const meter = new StreamMeter(7000)
  const add = (second: number, isKey: boolean) =>
    meter.add({ time: second * 1000 * TICKS_PER_MS, wallClock: second * 1000, isKey })
  for (const [second, isKey] of [
    [1, true],
    [8, true],
  ] as const)
    add(second, isKey)
  expect(meter.result.keyframeMs).toBe(7000)
  add(10, true)
  expect(meter.result.keyframeMs).toBe(2000)
})

test('jitter is what nearly all pictures are late; the few latest are left out', () => {
  expect(meterOf({ every: 50, pictures: 200, late: (at) => (at % 2) * 80 }).result.jitterMs).toBe(80)
  expect(meterOf({ every: 50, pictures: 200, late: (at) => (at === 7 ? 5000 : 0) }).result.jitterMs).toBe(0)
})

test('keyframes further apart than the pre-roll are a problem, with a fix where the camera can be set', () => {
  const at = (keyframeMs: number | undefined) => ({ pictures: 100, keyframeMs, jitterMs: 0 })
  expect(brief(keyframeFinding(at(5040), { preRollMs: 5000, canSet: true }))).toEqual(['ok', 'keyframesOften', null])
  const rare = keyframeFinding(at(10_000), { preRollMs: 5000, canSet: true })
  expect(rare).toMatchObject({ outcome: 'problem', reason: 'keyframesRare', measured: 10, limit: 5 })
  expect(rare.fix).toBe('setKeyframeInterval')
  expect(keyframeFinding(at(10_000), { preRollMs: 5000, canSet: false }).fix).toBeNull()
  expect(brief(keyframeFinding(at(undefined), { preRollMs: 5000, canSet: true }))).toEqual(['unknown', 'noVideo', null])
})

test('a clock is wrong from five seconds on, and one that NTP sets wrong can be set without it', () => {
  expect(brief(clockFinding({ aheadMs: -4900, usesNtp: false, isOwn: true }))).toEqual(['ok', 'clockRight', null])
  expect(clockFinding({ aheadMs: -86_400_000, usesNtp: false, isOwn: true })).toMatchObject({
    measured: 86_400,
    fix: 'setClock',
  })
  expect(brief(clockFinding({ aheadMs: 60_000, usesNtp: true, isOwn: true }))).toEqual([
    'problem',
    'clockWrongNtp',
    'turnOffNtp',
  ])
  expect(clockFinding({ aheadMs: 60_000, usesNtp: true, isOwn: false }).fix).toBeNull()
})

const signIn: SignInFacts = {
  username: 'viewer',
  password: 'a good one',
  authentication: 'digest',
  isSecure: false,
  isOnvifOpen: false,
  canUseTls: true,
  hasOnvif: true,
}
test.each<[string, Partial<SignInFacts>, unknown]>([
  ['digest', {}, ['ok', 'signInDigest', null]],
  ['TLS', { isSecure: true, authentication: 'basic' }, ['ok', 'signInEncrypted', null]],
  ['Basic in plain text', { authentication: 'basic' }, ['problem', 'signInBasic', 'useTls']],
  ['Basic of requests only', { isOnvifOpen: true }, ['problem', 'signInBasic', 'useTls']],
  ['Basic of a recorder', { authentication: 'basic', canUseTls: false }, ['problem', 'signInBasic', null]],
  ['a default password', { username: 'Admin', password: '12345' }, ['problem', 'signInDefault', 'changePassword']],
  [
    'a default one without ONVIF',
    { username: 'admin', password: '12345', hasOnvif: false },
    ['problem', 'signInDefault', 'enterSignIn'],
  ],
  [
    'a recorder’s default one',
    { username: 'admin', password: '12345', canUseTls: false },
    ['problem', 'signInDefault', null],
  ],
  ['no password', { username: null, authentication: 'none' }, ['problem', 'signInOpen', 'enterSignIn']],
  ['a password that the camera doesn’t ask for', { authentication: 'none' }, ['problem', 'signInOpen', 'enterSignIn']],
  ['a stream that never played', { authentication: undefined }, ['unknown', 'noVideo', null]],
])('sign-in: %s', (_name, facts, expected) => {
  expect(brief(signInFinding({ ...signIn, ...facts }))).toEqual(expected)
})

test('the finding about a password never holds it', () => {
  const found = signInFinding({ ...signIn, username: 'admin', password: 'password' })
  expect(JSON.stringify(found)).not.toMatch(/admin|"password"/)
})

test('video without TLS is advice with a button, unless the address is a recorder’s', () => {
  const transport = { isSecure: false, usesUdp: false, usesHttp: false, canUseTls: true }
  expect(brief(connectionFinding(transport))).toEqual(['advice', 'connectionTcp', 'useTls'])
  expect(brief(connectionFinding({ ...transport, usesUdp: true }))).toEqual(['advice', 'connectionUdp', 'useTls'])
  expect(brief(connectionFinding({ ...transport, canUseTls: false }))).toEqual(['advice', 'connectionTcp', null])
  expect(brief(connectionFinding({ ...transport, isSecure: true }))).toEqual(['ok', 'connectionTls', null])
})

test('a loss of one packet in a thousand or more is reported, with a fix if the camera can be set', () => {
  expect(lossFinding({ packets: 9995, lost: 5, canSet: true })).toMatchObject({ outcome: 'ok', measured: 0.05 })
  expect(lossFinding({ packets: 800, lost: 200, canSet: true })).toMatchObject({
    outcome: 'problem',
    measured: 20,
    fix: 'lowerBandwidth',
  })
  expect(lossFinding({ packets: 800, lost: 200, canSet: false }).fix).toBeNull()
  expect(brief(lossFinding({ packets: 0, lost: 0, canSet: true }))).toEqual(['unknown', 'noVideo', null])
})

test('a second stream is judged by its size and whether it plays', () => {
  const main = { width: 1920, height: 1080 }
  const used = (size: { width: number; height: number }, isPlaying = true) => ({ isPlaying, size })
  const small = { width: 640, height: 360 }
  const judge = (facts: Parameters<typeof subStreamFinding>[0]) => brief(subStreamFinding(facts))
  expect(judge({ used: used(small), main, isOffered: false })).toEqual(['ok', 'subStreamUsed', null])
  expect(judge({ used: undefined, main, isOffered: true })).toEqual(['advice', 'subStreamUnused', 'useSubStream'])
  expect(judge({ used: undefined, main, isOffered: undefined })).toEqual(['advice', 'subStreamMissing', null])
  expect(judge({ used: used(main), main: small, isOffered: true })).toEqual([
    'problem',
    'subStreamSwapped',
    'useSubStream',
  ])
  expect(judge({ used: used(small, false), main, isOffered: false })).toEqual(['problem', 'subStreamSilent', null])
})

test('the card that needs attention is the one that is told', () => {
  const card = { name: '', capacityMiB: 1, usedMiB: 0, inUse: false, recordedFrom: null, recordedUntil: null }
  const good = { ...card, edgeStorageId: 1, state: 'ok', formatted: true, formattable: true } as const
  const raw = { ...good, edgeStorageId: 2, state: 'error', formatted: false } as const
  expect(cardFinding([good, raw])).toMatchObject({ reason: 'cardUnformatted', subject: '2', fix: 'formatCard' })
  expect(brief(cardFinding([{ ...raw, formattable: false }]))).toEqual(['problem', 'cardUnformatted', null])
  expect(brief(cardFinding([{ ...good, state: 'error' }]))).toEqual(['problem', 'cardFaulty', null])
  expect(brief(cardFinding([]))).toEqual(['ok', 'cardNone', null])
})

function listening() {
  const listeners = new Set<(heard: HeardDetection) => void>()
  return {
    listen(heard: (detection: HeardDetection) => void) {
      listeners.add(heard)
      return { [Symbol.dispose]: () => void listeners.delete(heard) }
    },
    tell: (heard: HeardDetection) => {
      for (const listener of listeners) listener(heard)
    },
    listeners,
  }
}

test('motion is measured against the picture in which it began, else against the time that the camera names', async () => {
  const { listen, tell, listeners } = listening()
  const never = new AbortController().signal
  let sawAt: (at: number) => void = () => undefined
  const watchPictures = (onBegin: (at: number) => void) => {
    sawAt = onBegin
    return { [Symbol.asyncDispose]: async () => undefined }
  }
  const motion = { type: 'motion', at: 100_000, detectedBy: 'camera' } as const
  const now = () => 100_000
  const seen = measureMotion({ listen, watchPictures, aheadMs: 0, now }, never)
  sawAt(98_800)
  tell({ type: 'audio', at: 1, detectedBy: 'camera' })
  tell({ ...motion, cameraTime: 99_900 })
  expect(await seen).toEqual({ kind: 'measured', delayMs: 1200 })
  const named = measureMotion({ listen, watchPictures: undefined, aheadMs: 86_400_000, now }, never)
  tell({ ...motion, cameraTime: 86_400_000 + 99_300 })
  expect(await named).toEqual({ kind: 'measured', delayMs: 700 })
  for (const cameraTime of [undefined, 50_000]) {
    const untimed = measureMotion({ listen, watchPictures: undefined, aheadMs: 0, now }, never)
    tell({ ...motion, cameraTime })
    expect(await untimed).toEqual({ kind: 'untimed' })
  }
  const server = measureMotion({ listen, watchPictures: undefined, aheadMs: 0, now }, never)
  tell({ ...motion, at: 99_600, detectedBy: 'server' })
  expect(await server).toEqual({ kind: 'measured', delayMs: 400 })
  expect(listeners.size).toBe(0)
})

test('a wait that is ended measures nothing and leaves nothing behind', async () => {
  const { listen, listeners } = listening()
  const over = new AbortController()
  const waiting = measureMotion({ listen, watchPictures: undefined, aheadMs: 0, now: Date.now }, over.signal)
  over.abort()
  expect(await waiting).toEqual({ kind: 'none' })
  expect(listeners.size).toBe(0)
})
