import type { CheckUpFinding } from '@sightline/contract/camera-check-ups'
import type { Hub } from '../hub/index.ts'
import {
  type CameraHabits,
  chooseStreams,
  type OnvifCommander,
  type OnvifFault,
  readCameraClock,
  readCards,
  type StreamCounters,
} from '../source/index.ts'
import {
  cardFinding,
  clockFinding,
  connectionFinding,
  jitterFinding,
  keyframeFinding,
  lossFinding,
  noCard,
  type PictureSize,
  signInFinding,
  subStreamFinding,
  unchecked,
} from './check-up-findings.ts'
import type { CameraToServe } from './store.ts'
import { measureStream } from './stream-meter.ts'

/** What a check-up looks at, while the camera's channel is open. */
export interface CheckedCamera {
  readonly camera: CameraToServe
  readonly password: string | undefined
  readonly main: Hub
  readonly sub: Hub | undefined
  /** What arrived from the camera so far. */
  readonly received: () => StreamCounters
  readonly habits: CameraHabits
  /** The client for its requests; undefined without ONVIF. */
  readonly device: OnvifCommander | undefined
}

/** Long enough for keyframes that are twenty seconds apart. */
export const MEASURING = { atLeastMs: 10_000, atMostMs: 25_000 } as const
/** A sub-stream without a keyframe for so long doesn't play. */
const SUB_STREAM_MS = 30_000

/** Checks everything but motion and firmware; takes as long as {@link MEASURING} says. Never rejects, unless because of a bug. */
export async function checkUp(checked: CheckedCamera, signal: AbortSignal): Promise<readonly CheckUpFinding[]> {
  const before = checked.received()
  const [stream, clock, card, isOffered] = await Promise.all([
    measureStream(checked.main, MEASURING, signal),
    checkClock(checked, signal),
    checkCard(checked.device, signal),
    findSubStream(checked),
  ])
  const after = checked.received()
  const lost = after.lostPackets - before.lostPackets
  const canSet = checked.device !== undefined
  return [
    clock,
    signInFinding(signInFacts(checked)),
    connectionFinding({ ...transportOf(checked), canUseTls: canUseTls(checked) }),
    keyframeFinding(stream, { preRollMs: checked.camera.preRollMs, canSet }),
    lossFinding({ packets: after.packets - before.packets, lost, canSet }),
    jitterFinding(stream, { canSet }),
    subStreamFinding({ ...subStreamFacts(checked), isOffered }),
    card,
  ]
}

/** The address of an input is its recorder's. */
const canUseTls = ({ camera }: CheckedCamera): boolean => camera.motionSources === null && camera.input === 1

const transportOf = ({ camera, habits }: CheckedCamera) => ({
  isSecure: camera.isSecure,
  usesUdp: habits.usesUdp ?? false,
  usesHttp: habits.usesHttp ?? false,
})

function signInFacts(checked: CheckedCamera) {
  const { camera, password, habits, device } = checked
  return {
    username: camera.username,
    password,
    authentication: habits.authentication,
    isSecure: camera.isSecure,
    isOnvifOpen: camera.onvif?.isSecure === false && device?.client.usesBasic === true,
    canUseTls: canUseTls(checked),
    hasOnvif: device !== undefined,
  }
}

const unansweredBecause = ({ isUnsupported }: OnvifFault): 'unsupported' | 'silent' =>
  isUnsupported === true ? 'unsupported' : 'silent'

async function checkClock(checked: CheckedCamera, signal: AbortSignal): Promise<CheckUpFinding> {
  const { device } = checked
  if (device === undefined) return unchecked('clock', 'notOnvif')
  const clock = await readCameraClock(device, signal)
  return clock.ok ? clockFinding({ ...clock.value, isOwn: canUseTls(checked) }) : unchecked('clock', 'notAnswered')
}

async function checkCard(device: OnvifCommander | undefined, signal: AbortSignal): Promise<CheckUpFinding> {
  if (device === undefined) return unchecked('card', 'notOnvif')
  const cards = await readCards(device, signal)
  if (cards.ok) return cardFinding(cards.value)
  return unansweredBecause(cards.failure) === 'unsupported' ? noCard : unchecked('card', 'notAnswered')
}

/** Whether the camera offers other streams than those in use; undefined if it doesn't say. */
async function findSubStream({ device, camera }: CheckedCamera): Promise<boolean | undefined> {
  const profiles = await device?.profiles()
  if (profiles?.ok !== true) return undefined
  const chosen = chooseStreams(profiles.value)
  if (chosen?.sub === undefined) return false
  return chosen.sub.stream.path !== camera.subPath || chosen.main.stream.path !== camera.mainPath
}

function subStreamFacts({ main, sub }: CheckedCamera) {
  const isPlaying = (hub: Hub) => Date.now() - (hub.latestKeyPicture()?.unit.wallClock ?? 0) < SUB_STREAM_MS
  return {
    main: sizeOf(main),
    used: sub === undefined ? undefined : { isPlaying: isPlaying(sub), size: sizeOf(sub) },
  }
}

function sizeOf(hub: Hub): PictureSize | undefined {
  const video = hub.latestKeyPicture()?.tracks.find((track) => track.kind === 'video')
  return video?.kind === 'video' ? { width: video.width, height: video.height } : undefined
}
