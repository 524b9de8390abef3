import type { CheckUpFinding } from '@sightline/contract/camera-check-ups'
import type { CameraCard } from '@sightline/contract/media-plane'
import type { MeasuredMotion } from './motion-delay.ts'
import type { MeasuredStream } from './stream-meter.ts'

type Found = Pick<CheckUpFinding, 'outcome' | 'reason'> &
  Partial<Pick<CheckUpFinding, 'measured' | 'limit' | 'subject' | 'fix'>>

const finding = (topic: CheckUpFinding['topic'], found: Found): CheckUpFinding => ({
  topic,
  measured: null,
  limit: null,
  subject: null,
  fix: null,
  ...found,
})

const tenths = (value: number): number => Math.round(value * 10) / 10

/** What couldn't be asked of the camera. */
export const unchecked = (
  topic: CheckUpFinding['topic'],
  reason: 'notOnvif' | 'notAnswered' | 'noVideo' | 'motionSkipped',
): CheckUpFinding => finding(topic, { outcome: 'unknown', reason })

/** A clock that is off by less is of no consequence. */
const WRONG_CLOCK_MS = 5000

export function clockFinding({
  aheadMs,
  usesNtp,
  isOwn,
}: {
  readonly aheadMs: number
  readonly usesNtp: boolean
  /** The clock is the camera's, not that of a recorder. */
  readonly isOwn: boolean
}): CheckUpFinding {
  const measured = Math.round(Math.abs(aheadMs) / 1000)
  if (Math.abs(aheadMs) < WRONG_CLOCK_MS) return finding('clock', { outcome: 'ok', reason: 'clockRight', measured })
  return usesNtp
    ? finding('clock', { outcome: 'problem', reason: 'clockWrongNtp', measured, fix: isOwn ? 'turnOffNtp' : null })
    : finding('clock', { outcome: 'problem', reason: 'clockWrong', measured, fix: 'setClock' })
}

/** Passwords that cameras of many makers have when they are new, by user name in lower case. */
const defaultPasswords: Readonly<Record<string, readonly string[]>> = {
  admin: ['', 'admin', '12345', '123456', '1234', '1111', '111111', '9999', '4321', 'password', 'pass', '888888'],
  root: ['', 'root', 'pass', 'system', 'admin', 'camera'],
  '888888': ['888888'],
  '666666': ['666666'],
  ubnt: ['ubnt'],
  service: ['service'],
  supervisor: ['supervisor'],
  operator: ['operator'],
  user: ['user'],
  guest: ['guest'],
}

export interface SignInFacts {
  readonly username: string | null
  readonly password: string | undefined
  /** How the stream took the password; undefined if it didn't play. */
  readonly authentication: 'none' | 'basic' | 'digest' | undefined
  /** The stream is over TLS. */
  readonly isSecure: boolean
  /** Requests send the password as it is, without TLS. */
  readonly isOnvifOpen: boolean
  /** A connection of its own, not that of a recorder. */
  readonly canUseTls: boolean
  readonly hasOnvif: boolean
}

/** The password is compared here, and never tried at the camera: cameras lock out who guesses. */
export function signInFinding(facts: SignInFacts): CheckUpFinding {
  const { username, password = '', authentication, isSecure, isOnvifOpen, canUseTls: isOwn, hasOnvif } = facts
  if (authentication === undefined) return unchecked('signIn', 'noVideo')
  const isOpen = (authentication === 'basic' && !isSecure) || isOnvifOpen
  if (isOpen) return finding('signIn', { outcome: 'problem', reason: 'signInBasic', fix: isOwn ? 'useTls' : null })
  const enterSignIn = isOwn ? 'enterSignIn' : null
  if (username !== null && defaultPasswords[username.toLowerCase()]?.includes(password) === true)
    return finding('signIn', {
      outcome: 'problem',
      reason: 'signInDefault',
      fix: isOwn && hasOnvif ? 'changePassword' : enterSignIn,
    })
  if (username === null || authentication === 'none')
    return finding('signIn', { outcome: 'problem', reason: 'signInOpen', fix: enterSignIn })
  return finding('signIn', { outcome: 'ok', reason: isSecure ? 'signInEncrypted' : 'signInDigest' })
}

export interface TransportFacts {
  readonly isSecure: boolean
  readonly usesUdp: boolean
  readonly usesHttp: boolean
  readonly canUseTls: boolean
}

export function connectionFinding({ isSecure, usesUdp, usesHttp, canUseTls }: TransportFacts): CheckUpFinding {
  if (isSecure) return finding('connection', { outcome: 'ok', reason: 'connectionTls' })
  const plain = usesHttp ? 'connectionHttp' : 'connectionTcp'
  const fix = canUseTls ? 'useTls' : null
  return finding('connection', { outcome: 'advice', reason: usesUdp ? 'connectionUdp' : plain, fix })
}

/** Pictures are counted in tenths of a second, so a camera that is set to exactly the limit isn't blamed. */
const KEYFRAME_TOLERANCE_MS = 100

export function keyframeFinding(
  { keyframeMs }: MeasuredStream,
  { preRollMs, canSet }: { readonly preRollMs: number; readonly canSet: boolean },
): CheckUpFinding {
  if (keyframeMs === undefined) return unchecked('keyframes', 'noVideo')
  const measured = { measured: tenths(keyframeMs / 1000), limit: preRollMs / 1000 }
  return keyframeMs <= preRollMs + KEYFRAME_TOLERANCE_MS
    ? finding('keyframes', { outcome: 'ok', reason: 'keyframesOften', ...measured })
    : finding('keyframes', {
        outcome: 'problem',
        reason: 'keyframesRare',
        ...measured,
        fix: canSet ? 'setKeyframeInterval' : null,
      })
}

const PERCENT = 100
/** Less than one in a thousand is seen by nobody. */
const LOSS_LIMIT = 0.1

interface LossFacts {
  readonly packets: number
  readonly lost: number
  /** Whether the camera's video can be set. */
  readonly canSet: boolean
}

export function lossFinding({ packets, lost, canSet }: LossFacts): CheckUpFinding {
  if (packets === 0) return unchecked('packetLoss', 'noVideo')
  const percent = Math.round((lost / (packets + lost)) * PERCENT * PERCENT) / PERCENT
  const values = { measured: percent, limit: LOSS_LIMIT }
  if (percent <= LOSS_LIMIT) return finding('packetLoss', { outcome: 'ok', reason: 'lossNone', ...values })
  const fix = canSet ? 'lowerBandwidth' : null
  return finding('packetLoss', { outcome: 'problem', reason: 'lossSome', ...values, fix })
}

const JITTER_LIMIT_MS = 300

export function jitterFinding({ jitterMs }: MeasuredStream, { canSet }: { readonly canSet: boolean }): CheckUpFinding {
  if (jitterMs === undefined) return unchecked('jitter', 'noVideo')
  const values = { measured: jitterMs, limit: JITTER_LIMIT_MS }
  return jitterMs <= JITTER_LIMIT_MS
    ? finding('jitter', { outcome: 'ok', reason: 'jitterLow', ...values })
    : finding('jitter', { outcome: 'advice', reason: 'jitterHigh', ...values, fix: canSet ? 'lowerBandwidth' : null })
}

const MOTION_LIMIT_MS = 2000

export function motionFinding(motion: MeasuredMotion): CheckUpFinding {
  if (motion.kind === 'unwatched') return finding('motionDelay', { outcome: 'advice', reason: 'motionUnwatched' })
  if (motion.kind === 'none') return finding('motionDelay', { outcome: 'unknown', reason: 'motionNone' })
  if (motion.kind === 'untimed') return finding('motionDelay', { outcome: 'unknown', reason: 'motionUntimed' })
  const values = { measured: tenths(motion.delayMs / 1000), limit: MOTION_LIMIT_MS / 1000 }
  return motion.delayMs <= MOTION_LIMIT_MS
    ? finding('motionDelay', { outcome: 'ok', reason: 'motionFast', ...values })
    : finding('motionDelay', { outcome: 'problem', reason: 'motionSlow', ...values, fix: 'recordEarlier' })
}

/** A stream in use, and one that the camera offers. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

export interface SubStreamFacts {
  /** Undefined: none is used. */
  readonly used: { readonly isPlaying: boolean; readonly size: PictureSize | undefined } | undefined
  readonly main: PictureSize | undefined
  /** Whether the camera offers one that would be chosen today; undefined if it wasn't asked. */
  readonly isOffered: boolean | undefined
}

const areaOf = ({ width, height }: PictureSize): number => width * height

export function subStreamFinding({ used, main, isOffered }: SubStreamFacts): CheckUpFinding {
  if (used === undefined) {
    return isOffered === true
      ? finding('subStream', { outcome: 'advice', reason: 'subStreamUnused', fix: 'useSubStream' })
      : finding('subStream', { outcome: 'advice', reason: 'subStreamMissing' })
  }
  const fix = isOffered === true ? 'useSubStream' : null
  if (!used.isPlaying) return finding('subStream', { outcome: 'problem', reason: 'subStreamSilent' })
  const isLarger = used.size !== undefined && main !== undefined && areaOf(used.size) > areaOf(main)
  if (isLarger) return finding('subStream', { outcome: 'problem', reason: 'subStreamSwapped', fix })
  return finding('subStream', { outcome: 'ok', reason: 'subStreamUsed' })
}

/** The first card that needs attention, or the first. */
export function cardFinding(cards: readonly CameraCard[]): CheckUpFinding {
  const judged = cards.map(judgeCard)
  const worst = judged.find(({ outcome }) => outcome === 'problem') ?? judged[0]
  return worst ?? finding('card', { outcome: 'ok', reason: 'cardNone' })
}

function judgeCard({ state, formatted, formattable, edgeStorageId }: CameraCard): CheckUpFinding {
  if (state === 'missing') return finding('card', { outcome: 'advice', reason: 'cardMissing' })
  if (!formatted)
    return finding('card', {
      outcome: 'problem',
      reason: 'cardUnformatted',
      subject: String(edgeStorageId),
      fix: formattable ? 'formatCard' : null,
    })
  if (state === 'error') return finding('card', { outcome: 'problem', reason: 'cardFaulty' })
  return finding('card', { outcome: 'ok', reason: 'cardReady' })
}

/** A camera that says that it has none. */
export const noCard: CheckUpFinding = finding('card', { outcome: 'ok', reason: 'cardNone' })
