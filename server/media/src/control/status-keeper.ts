import type { ConnectionResult } from '@sightline/contract/cameras'
import type { Logger } from '@sightline/platform/log'
import type { TrackConfig } from '../frame/index.ts'
import type { RecordingHealth } from '../recording/index.ts'
import type { CameraFault, CameraFaultKind, CameraState } from '../source/index.ts'
import { looksUnreachable } from './camera-addition.ts'
import type { CameraToServe, Presence, StatusChange } from './store.ts'
import type { CameraSituation } from './worker-figures.ts'

/** How often `lastSeen` moves while a camera is online. */
const SEEN_EVERY_MS = 10_000
export const connectionResults: Readonly<Record<CameraFaultKind, ConnectionResult>> = {
  credentialsIncorrect: 'credentialsIncorrect',
  timeout: 'timeout',
  silent: 'timeout',
  unreachable: 'unreachable',
  addressRefused: 'addressNotAllowed',
  authenticationUnsupported: 'authenticationNotSupported',
  streamNotFound: 'streamNotFound',
  redirected: 'redirected',
  transportUnsupported: 'transportNotSupported',
  unsupportedCodec: 'codecNotSupported',
  noVideo: 'noVideo',
  damaged: 'noPicture',
  closed: 'connectionLost',
  busy: 'cameraBusy',
  badReply: 'protocolError',
  desync: 'protocolError',
  certificateChanged: 'certificateChanged',
  overloaded: 'serverOverloaded',
}

const toResult = (kind: CameraFaultKind, { address }: Pick<CameraToServe, 'address'>): ConnectionResult =>
  connectionResults[looksUnreachable(kind, address) ? 'unreachable' : kind]

const warn = (log: Logger, { cameraId }: CameraToServe, { kind, detail }: CameraFault): void =>
  log.warn({ cameraId, fault: kind }, `camera is offline: ${detail}`)

export interface StatusKeeperDeps {
  readonly camera: CameraToServe
  readonly saveStatus: (change: StatusChange) => Promise<void>
  readonly log: Logger
  readonly now: () => number
}

/** Whether footage is written; `off`: it isn't wanted. */
export type RecordingState = 'on' | 'off' | 'failed'

export function toRecordingState({ kind }: RecordingHealth): RecordingState {
  if (kind === 'ok') return 'on'
  return kind === 'off' || kind === 'standby' ? 'off' : 'failed'
}

const situations = { on: 'recorded', off: 'off', failed: 'unrecorded' } as const

/** What is known of a camera's sub-stream, beside the status of the camera. */
export interface SubStreamState {
  readonly isOnline: boolean
  readonly isRecorded: boolean
  /** Why it isn't connected; undefined while it is, or before the first try. */
  readonly fault: CameraFaultKind | undefined
  /** As last seen. */
  readonly tracks: readonly TrackConfig[]
}

export interface StatusKeeper {
  connection(state: CameraState): void
  readonly subStream: (state: SubStreamState) => void
  recording(state: RecordingState): void
  readonly situation: CameraSituation
  stop(): Promise<void>
}

/** Of the pictures as last seen. */
function toPicture(tracks: readonly TrackConfig[]): Pick<StatusChange, 'width' | 'height' | 'codec'> {
  const video = tracks.find((track) => track.kind === 'video')
  return { width: video?.width ?? null, height: video?.height ?? null, codec: video?.codec ?? null }
}

const NO_SUB_STREAM_YET: SubStreamState = { isOnline: false, isRecorded: false, fault: undefined, tracks: [] }

function toSubStream({ isOnline, isRecorded, fault, tracks }: SubStreamState): StatusChange['subStream'] {
  const connected = isOnline ? 'ok' : 'neverConnected'
  return {
    online: isOnline,
    recording: isOnline && isRecorded,
    connectionResult: fault === undefined ? connected : connectionResults[fault],
    ...toPicture(tracks),
  }
}

/** Keeps the row of table camera_status true: at each change, and about every ten seconds while the camera is seen. */
export function statusKeeper({ camera, saveStatus, log, now }: StatusKeeperDeps): StatusKeeper {
  // Nobody is notified about a camera that was never there.
  let isAdded = camera.additionStatus === 'added'
  let tracks: readonly TrackConfig[] = []
  let presence: Presence = 'unknown'
  const isOnline = () => presence === 'online'
  let recording: RecordingState = 'failed'
  let result: ConnectionResult = 'neverConnected'
  let nextAttemptAt: number | null = null
  let subStream = camera.subPath === null ? null : toSubStream(NO_SUB_STREAM_YET)
  let saving: Promise<void> = Promise.resolve()
  let queued = false

  const write = async () => {
    queued = false
    await saveStatus({
      accountId: camera.accountId,
      cameraId: camera.cameraId,
      presence,
      recording: isOnline() && recording === 'on',
      lastConnectionResult: result,
      nextAttemptAt,
      lastSeen: isOnline() ? now() : null,
      ...toPicture(tracks),
      audioCodec: tracks.find((track) => track.kind === 'audio')?.codec ?? null,
      subStream,
    }).catch((err: unknown) => log.warn({ err, cameraId: camera.cameraId }, 'could not save the status of a camera'))
  }
  const save = () => {
    if (queued) return
    queued = true
    saving = saving.then(write)
  }
  const seen = setInterval(() => isOnline() && save(), SEEN_EVERY_MS).unref()
  return {
    connection(state) {
      if (state.kind === 'connecting') return
      if (state.kind === 'online') {
        if (!isOnline()) log.info({ cameraId: camera.cameraId }, 'camera is online')
        presence = 'online'
        isAdded = true
        result = 'ok'
        tracks = state.tracks
        nextAttemptAt = null
      } else {
        nextAttemptAt = now() + state.retryInMs
        const reason = toResult(state.cause.kind, camera)
        if (isOnline() || result !== reason) warn(log, camera, state.cause)
        presence = isAdded ? 'away' : 'unknown'
        result = reason
      }
      save()
    },
    subStream(state) {
      subStream = toSubStream(state)
      save()
    },
    recording(state) {
      if (recording === state) return
      recording = state
      save()
    },
    get situation() {
      return isOnline() ? situations[recording] : 'offline'
    },
    async stop() {
      clearInterval(seen)
      presence = 'unknown'
      nextAttemptAt = null
      save()
      await saving
    },
  }
}
