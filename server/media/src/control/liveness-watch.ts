import type { StreamMessage } from '../frame/index.ts'
import type { RecordingHealth, RecordingProgress, RunSlice } from '../recording/index.ts'
import { afterReading, type CameraFault, fault, type StreamCounters } from '../source/index.ts'
import { Liveness } from './liveness.ts'

/** A verdict is at most this old. */
const JUDGE_EVERY_MS = 500
const MS_PER_SECOND = 1000

export interface LivenessWatchDeps {
  /** The health of the recording, with what the recorder itself can't see: a disk that doesn't answer. */
  readonly health: (health: RecordingHealth) => void
  /** The disk takes nothing any more; `slice` is the last footage that it took. */
  readonly stalled: (slice: RunSlice | undefined) => void
}

/** Asks every half second whether a camera makes progress, and acts if it doesn't. */
export interface LivenessWatch extends Disposable {
  /** What the source publishes. */
  published(message: StreamMessage): void
  readonly progress: RecordingProgress
  /** What the recorder says about itself. */
  health(health: RecordingHealth): void
  /** Whether the recorder waits for an event. */
  standby(isStandby: boolean): void
  recorderOpened(): void
  /** From now on this connection is ended if no picture comes out of it. */
  connected(connection: WatchedConnection): void
}

const STANDBY: RecordingHealth = { kind: 'standby' }

export interface WatchedConnection {
  readonly counters: Pick<StreamCounters, 'packets'>
  readonly end: (reason: CameraFault) => void
}

export function watchLiveness(deps: LivenessWatchDeps): LivenessWatch {
  const liveness = new Liveness()
  const now = () => performance.now()
  let connection: WatchedConnection | undefined
  let packets = 0
  let told: RecordingHealth | undefined
  let lastSlice: RunSlice | undefined
  let isStalled = false
  let isStandby = false
  /** Nothing was heard of the present recorder. */
  let isNew = true

  const judge = () => {
    const verdict = liveness.judge(now())
    const arrived = connection?.counters.packets ?? 0
    if (verdict.kind === 'noPicture') connection?.end(missingPicture(verdict.forMs, arrived > packets))
    packets = arrived
    if (verdict.kind === 'notStored' && !isStalled && told?.kind === 'ok') {
      isStalled = true
      deps.stalled(lastSlice)
      deps.health({ kind: 'stalled', forMs: verdict.forMs })
    }
    if (verdict.kind === 'live' && isStalled) {
      isStalled = false
      if (told !== undefined) deps.health(told)
    }
  }
  const timer = setInterval(afterReading(judge), JUDGE_EVERY_MS)
  return {
    published(message) {
      if (message.kind === 'unit' && message.unit.kind === 'video') liveness.picture(message.unit, now())
      if (message.kind === 'ended') liveness.ended()
    },
    progress: {
      written(slice, isKept) {
        lastSlice = slice
        const at = now()
        liveness.written(at)
        void isKept.then((kept) => kept && liveness.synced(at))
      },
    },
    health(health) {
      told = health
      isNew = false
      if (health.kind === 'ok' && isStalled) return
      isStalled = false
      deps.health(health.kind === 'ok' && isStandby ? STANDBY : health)
    },
    standby(next) {
      isStandby = next
      liveness.standby(next)
      if (next && (isNew || told?.kind === 'ok')) deps.health(STANDBY)
      if (!next && told?.kind === 'ok') deps.health(told)
    },
    recorderOpened() {
      isNew = true
      isStandby = false
      lastSlice = undefined
      liveness.recorderOpened()
    },
    connected(next) {
      connection = next
      packets = 0
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

function missingPicture(forMs: number, hasPackets: boolean): CameraFault {
  const seconds = Math.round(forMs / MS_PER_SECOND)
  return hasPackets
    ? fault('damaged', `the camera sends data, but none of it made a whole picture for ${seconds} s`)
    : fault('silent', `no video for ${seconds} s`)
}
