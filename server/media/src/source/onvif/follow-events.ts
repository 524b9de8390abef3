import { setTimeout as sleep } from 'node:timers/promises'
import { type CameraFault, fault } from '../camera-fault.ts'
import type { CameraHabits } from '../camera-habits.ts'
import { retryDelay } from '../camera-session.ts'
import { RejectedPasswords } from '../rejected-passwords.ts'
import { MotionSpans, type ReportedChange } from './motion-spans.ts'
import { type MotionNotice, type PortNotice, type ReportedType, reportedTypes } from './notification.ts'
import { OnvifClient, type OnvifFault, type OnvifOptions, type OnvifService } from './onvif-client.ts'
import { findServices } from './onvif-services.ts'
import { followPullPoint, type PullTiming } from './pull-point.ts'

/** How it stands with a camera's events. `unsupported`: the camera answers, and has none. */
export type EventsState =
  | { readonly kind: 'following' }
  | { readonly kind: 'lost'; readonly cause: CameraFault; readonly retryInMs: number }
  | { readonly kind: 'unsupported'; readonly cause: CameraFault }

export interface FollowEventsOptions extends OnvifOptions {
  /** Rejections of the password are counted here too, and those that were counted earlier still hold. */
  readonly habits?: CameraHabits
  readonly onState: (state: EventsState) => void
  readonly onMotion: (change: ReportedChange) => void
  /** The state of a relay output or a digital input. */
  readonly onPort?: (notice: PortNotice) => void
  /** Each time it was read: how far the camera's clock is ahead of ours, in milliseconds. */
  readonly onClock: (aheadMs: number) => void
  /** Gets the client of each try, whose knowledge of the camera's clock may become old. */
  readonly onClient?: (client: Pick<OnvifClient, 'readClock'>) => void
  /** `portId` of the digital inputs that PIR sensors are wired to, at the moment. */
  readonly pirInputs?: (() => readonly string[]) | undefined
  /** Only motion of these video sources or configurations; null: all. */
  readonly sources?: readonly string[] | null
  readonly timing?: Partial<PullTiming & EventsTiming>
}

export interface EventsTiming {
  readonly retryMs: number
  /** Firmware may bring events. */
  readonly unsupportedRetryMs: number
  /** How often the clock of a camera whose events are followed is read again. */
  readonly clockEveryMs: number
}

const USUAL: EventsTiming = { retryMs: 60_000, unsupportedRetryMs: 3_600_000, clockEveryMs: 3_600_000 }
const ADVANCE_EVERY_MS = 500
/** What gives a subscription back when it is no longer wanted may take this long. */
const UNSUBSCRIBE_MS = 2000
/** Cameras without the names of their services have them here. */
const EVENTS_PATH = '/onvif/event_service'

/**
 * Keeps one subscription to a camera's events until the signal aborts. A lost one is made again at once if it ever worked, but not
 * twice within 60 s, then after 60 s; a wrong password is retried as seldom as for a stream. Never rejects.
 */
export async function followEvents(options: FollowEventsOptions): Promise<void> {
  const { onMotion } = options
  const spans = new Map(reportedTypes.map((type) => [type, new MotionSpans()]))
  const report: Report = (type, act) => {
    for (const change of act(spans.get(type) ?? new MotionSpans())) onMotion({ ...change, type })
  }
  const reportAll = (act: Parameters<Report>[1]): void => {
    for (const type of reportedTypes) report(type, act)
  }
  const advance = setInterval(() => reportAll((each) => each.advance(Date.now())), ADVANCE_EVERY_MS)
  try {
    await retryUntilAborted(options, async () => {
      const ended = await followOnce(options, report)
      for (const each of spans.values()) each.lost(Date.now())
      return ended
    })
  } finally {
    clearInterval(advance)
    reportAll((each) => each.stop(Date.now()))
  }
}

async function retryUntilAborted(options: FollowEventsOptions, follow: () => Promise<Ended>): Promise<void> {
  const { signal, onState } = options
  const timing = { ...USUAL, ...options.timing }
  const rejected = new RejectedPasswords(options.habits ?? {}, 'onvifRejections')
  let renewedAt = Number.NEGATIVE_INFINITY
  await untilAllowed(rejected, options)
  while (!signal.aborted) {
    const { cause, hasFollowed } = await follow()
    if (signal.aborted) return
    if (hasFollowed) {
      rejected.clear()
      const isAgain = performance.now() - renewedAt < timing.retryMs
      const retryInMs = isAgain ? timing.retryMs : 0
      // A camera that forgot the subscription gets another one; one that fell silent may be gone.
      if (cause.isRefusal !== true || isAgain) onState({ kind: 'lost', cause, retryInMs })
      await sleep(retryInMs, undefined, { signal }).catch(() => undefined)
      renewedAt = performance.now()
      continue
    }
    const retryInMs = delayOf(cause, rejected, timing)
    onState(cause.isRefusal === true ? { kind: 'unsupported', cause } : { kind: 'lost', cause, retryInMs })
    await sleep(retryInMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Another worker may have tried the password before. */
async function untilAllowed(
  { leftMs }: Pick<RejectedPasswords, 'leftMs'>,
  { signal, onState }: Pick<FollowEventsOptions, 'signal' | 'onState'>,
): Promise<void> {
  if (leftMs === 0) return
  onState({ kind: 'lost', cause: REJECTED_EARLIER, retryInMs: leftMs })
  await sleep(leftMs, undefined, { signal }).catch(() => undefined)
}

const REJECTED_EARLIER = fault('credentialsIncorrect', 'the camera rejected the user name and password earlier')

function delayOf(cause: OnvifFault, rejected: RejectedPasswords, timing: EventsTiming): number {
  if (cause.kind === 'credentialsIncorrect') {
    const pauseMs = retryDelay(rejected.count + 1, cause.kind, Math.random())
    rejected.add(pauseMs)
    return pauseMs
  }
  return cause.isRefusal === true ? timing.unsupportedRetryMs : timing.retryMs
}

/** Recorders report the motion of all their inputs. A digital input is a sensor only if users said so. */
function isAbout(
  { sources, input }: MotionNotice,
  { sources: wanted, pirInputs }: Pick<FollowEventsOptions, 'sources' | 'pirInputs'>,
): boolean {
  if (input !== undefined) return pirInputs?.().includes(`input-${input}`) === true
  return wanted === null || wanted === undefined || sources.some((source) => wanted.includes(source))
}

/** Reports what a stretch of that type begins or ends by the act. */
type Report = (type: ReportedType, act: (spans: MotionSpans) => ReturnType<MotionSpans['advance']>) => void

interface Ended {
  readonly cause: OnvifFault
  readonly hasFollowed: boolean
}

async function followOnce(options: FollowEventsOptions, report: Report): Promise<Ended> {
  const { signal, onState, onClock, timing } = options
  const client = new OnvifClient(options)
  options.onClient?.(client)
  let hasFollowed = false
  const clock = await client.readClock()
  if (!clock.ok) return { cause: clock.failure, hasFollowed }
  onClock(client.clockAheadMs)
  const services = await findServices(client)
  if (!services.ok) return { cause: services.failure, hasFollowed }
  const cause = await followPullPoint({
    client,
    lastClient: () => new OnvifClient({ ...options, signal: AbortSignal.timeout(UNSUBSCRIBE_MS) }),
    service: services.value.events ?? guessed(client),
    onFollowing: () => {
      hasFollowed = true
      onState({ kind: 'following' })
    },
    onNotices: (notices) => {
      for (const notice of notices.filter((one) => isAbout(one, options)))
        report(notice.type, (spans) => spans.take(notice, client.clockAheadMs, Date.now()))
    },
    onPort: (notice) => options.onPort?.(notice),
    onReply: clockReader(client, options),
    signal,
    ...(timing === undefined ? {} : { timing }),
  })
  return { cause, hasFollowed }
}

/**
 * Reads the clock again when that is due: it may jump while the camera is connected. The first time comes at random, so that cameras
 * that were connected together aren't all asked at once.
 */
function clockReader(client: OnvifClient, { onClock, timing }: FollowEventsOptions): () => Promise<void> {
  const { clockEveryMs } = { ...USUAL, ...timing }
  let dueAt = performance.now() + clockEveryMs * (0.5 + Math.random() / 2)
  return async () => {
    if (performance.now() < dueAt) return
    dueAt = performance.now() + clockEveryMs
    const read = await client.readClock()
    if (read.ok) onClock(client.clockAheadMs)
  }
}

/** Not named is not the same as not there. */
function guessed({ address }: OnvifClient): OnvifService {
  const { host, port, isSecure } = address
  const authority = host.includes(':') ? `[${host}]` : host
  return {
    address: { ...address, path: EVENTS_PATH },
    named: `${isSecure === true ? 'https' : 'http'}://${authority}:${port}${EVENTS_PATH}`,
  }
}
