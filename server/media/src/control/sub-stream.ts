import { setTimeout as sleep } from 'node:timers/promises'
import type { Hub } from '../hub/index.ts'
import type { EventTriggers, RecordingHealth, StreamKey } from '../recording/index.ts'
import { type CameraFault, type CameraHabits, type CameraState, fault } from '../source/index.ts'
import type { ChannelDeps } from './camera-channel.ts'
import { type CameraEvent, described } from './camera-events.ts'
import { watchLiveness } from './liveness-watch.ts'
import type { MicrophoneGate } from './microphone-gate.ts'
import type { RecordingSwitch } from './recording-switch.ts'
import { type SubStreamState, toRecordingState } from './status-keeper.ts'
import { type KnownCertificate, keepConnected, type PlayStream, playStream } from './stream-connection.ts'
import { keepRecording, type RecordedStream } from './stream-recording.ts'
import { SubStreamGate } from './sub-stream-gate.ts'

interface SubStreamDeps extends ChannelDeps {
  /** Of the stream on the camera. */
  readonly path: string
  readonly hub: Hub
  readonly recording: RecordingSwitch
  readonly microphone: MicrophoneGate
  readonly triggers: EventTriggers
  readonly habits: CameraHabits
  readonly certificate: KnownCertificate
  readonly onState: (state: SubStreamState) => void
}

/** A camera's second, smaller stream. Whatever happens to it, the main stream and the camera's status aren't affected. */
export interface SubStream extends Disposable {
  readonly hub: Hub
  /** Connects and records it until the signal aborts; never rejects. */
  serve(under: Pick<RecordedStream, 'held' | 'newest' | 'signal'>): Promise<void>
  /** What happens to the main stream: without it, or without a connection left for it, there is no sub-stream. */
  mainChanged(state: CameraState): void
}

/** After a bug. */
const RETRY_MS = 5000
const BUSY = fault('busy', 'the camera has no connection left for its sub-stream; it is tried again in an hour')

export function openSubStream(deps: SubStreamDeps): SubStream {
  const { camera, log, runs, now } = deps
  const { accountId, cameraId } = camera
  const stream: StreamKey = { accountId, cameraId, stream: 'sub' }
  const gate = new SubStreamGate()
  const state = subStreamState(deps)
  const liveness = watchLiveness({
    health: state.recording,
    stalled: (slice) => {
      if (slice !== undefined) runs.runGrew(slice)
      runs.notRecorded(stream, slice?.end ?? now(), 'disk')
    },
  })
  const play: PlayStream = async (publish, signal) => {
    await gate.untilOpen(signal)
    if (signal.aborted) return fault('closed', 'stopped')
    const { dropped } = gate
    const ended = await playStream({ ...deps, liveness }, publish, AbortSignal.any([signal, dropped]))
    if (ended.kind === 'busy') gate.drop()
    return ended.kind === 'busy' || dropped.aborted ? BUSY : ended
  }
  const untilOver = async (what: string, signal: AbortSignal, serve: () => Promise<unknown>) => {
    for (;;) {
      try {
        return void (await serve())
      } catch (err) {
        log.error({ err, cameraId }, `${what} the sub-stream of a camera failed because of a bug; it starts again`)
      }
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
    }
  }
  return {
    hub: deps.hub,
    async serve({ signal, ...under }) {
      await Promise.all([
        untilOver('recording', signal, () => keepRecording({ ...deps, ...under, stream, liveness, signal })),
        untilOver('connecting', signal, () =>
          keepConnected(
            { hub: deps.hub, liveness, microphone: deps.microphone },
            { play, onState: state.connection, signal },
          ),
        ),
      ])
      state.stopped()
    },
    mainChanged(main) {
      if (main.kind === 'connecting') return
      gate.isMainOnline = main.kind === 'online'
      if (main.kind === 'offline' && main.cause.kind === 'busy') gate.drop()
    },
    [Symbol.dispose]() {
      gate[Symbol.dispose]()
      liveness[Symbol.dispose]()
    },
  }
}

/** Follows the state of a sub-stream, and writes its changes to the camera's log. */
function subStreamState({ camera: { cameraId }, note, log, now, onState }: SubStreamDeps) {
  let state: SubStreamState = { isOnline: false, isRecorded: false, fault: undefined, tracks: [] }
  let health: RecordingHealth['kind'] | undefined
  const change = (changed: Partial<SubStreamState>) => {
    state = { ...state, ...changed }
    onState(state)
  }
  const tell = (event: CameraEvent['event'], level: CameraEvent['level'], detail: string) =>
    note({ at: now(), level, event, detail })
  const lost = ({ kind, detail }: CameraFault) => {
    // Each cause once, however often it repeats.
    if (state.isOnline || state.fault !== kind) tell('subStreamLost', 'warning', detail)
    change({ isOnline: false, fault: kind })
  }
  return {
    connection(next: CameraState) {
      if (next.kind === 'connecting') return
      if (next.kind === 'offline') return lost(next.cause)
      if (!state.isOnline) tell('subStreamConnected', 'info', described(next.tracks))
      change({ isOnline: true, fault: undefined, tracks: next.tracks })
    },
    recording(next: RecordingHealth) {
      if (next.kind !== health && 'cause' in next)
        log.error({ err: next.cause, cameraId }, 'the sub-stream of a camera is not being recorded')
      health = next.kind
      change({ isRecorded: toRecordingState(next) === 'on' })
    },
    stopped: () => change({ isOnline: false }),
  }
}
