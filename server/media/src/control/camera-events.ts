import type { CameraLogEvent, CameraLogLevel } from '@sightline/contract/camera-logs'
import type { TrackConfig } from '../frame/index.ts'
import { healthText, type RecordingHealth } from '../recording/index.ts'
import type { CameraFaultKind, CameraState } from '../source/index.ts'

/** A line for the log of a camera. */
export interface CameraEvent {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly level: CameraLogLevel
  readonly event: CameraLogEvent
  /** A readable description, without passwords. */
  readonly detail: string
}

/** Reports what a camera's owner wants to know: each change once, however often it repeats. */
export interface CameraEvents {
  connection(state: CameraState): void
  recording(health: RecordingHealth): void
  /** The channel is closed: by a stop of the server, or to be opened with other settings. */
  closed(): void
}

export function cameraEvents(note: (event: CameraEvent) => void, now: () => number): CameraEvents {
  let isOnline = false
  let fault: CameraFaultKind | undefined
  let recording = 'not yet'
  let isFlowing = false
  let broken: { readonly at: number; readonly why: string } | undefined

  const tell = (level: CameraLogLevel, event: CameraLogEvent, detail: string) =>
    note({ at: now(), level, event, detail })
  const flow = (why: string) => {
    const wasFlowing = isFlowing
    isFlowing = isOnline && recording === 'ok'
    if (wasFlowing && !isFlowing) broken = { at: now(), why }
    if (!isFlowing || broken === undefined) return
    tell('warning', 'gap', `no footage for ${spoken(now() - broken.at)}: ${broken.why}`)
    broken = undefined
  }
  return {
    connection(state) {
      if (state.kind === 'connecting') return
      if (state.kind === 'online') {
        if (!isOnline) tell('info', 'connected', described(state.tracks))
        isOnline = true
        fault = undefined
        return flow('')
      }
      const { kind, detail } = state.cause
      if (isOnline || fault !== kind) tell(...lineOf(kind, isOnline), detail)
      isOnline = false
      fault = kind
      flow(detail)
    },
    recording(health) {
      const words = wordsOf(health)
      if (words === recording) return
      recording = words
      if (health.kind === 'ok') tell('info', 'recordingStarted', 'recording started')
      else if (health.kind === 'standby') tell('info', 'recordingStarted', 'ready to record events')
      else if (health.kind === 'fenced' || health.kind === 'off') tell('info', 'recordingStopped', words)
      else tell('error', 'recordingFailed', words)
      flow(words)
      // What isn't wanted isn't missing.
      if (health.kind === 'off') broken = undefined
    },
    closed() {
      if (isFlowing) tell('info', 'recordingStopped', 'the server stopped, or the camera settings changed')
      isOnline = false
    },
  }
}

const lineOf = (kind: CameraFaultKind, wasOnline: boolean): [CameraLogLevel, CameraLogEvent] => {
  if (kind === 'credentialsIncorrect') return ['error', 'credentialsRefused']
  return ['warning', wasOnline ? 'connectionLost' : 'connectionFailed']
}

/** A camera that waits for an event is recorded as it should be. */
const wordsOf = (health: RecordingHealth): string =>
  health.kind === 'ok' || health.kind === 'standby' ? 'ok' : healthText(health)

const codecNames: Readonly<Record<TrackConfig['codec'], string>> = {
  h264: 'H.264',
  h265: 'H.265',
  aac: 'AAC',
  opus: 'Opus',
  pcma: 'G.711 A-law',
  pcmu: 'G.711 μ-law',
}

/** `H.264, 1920 × 1080, AAC audio` */
export const described = (tracks: readonly TrackConfig[]): string =>
  tracks
    .map((track) =>
      track.kind === 'video'
        ? `${codecNames[track.codec]}, ${track.width} × ${track.height}`
        : `${codecNames[track.codec]} audio`,
    )
    .join(', ')

const MS_PER_SECOND = 1000
/** Up to two minutes in seconds, up to two hours in minutes. */
const FINE_UNITS = 120

/** `34 s`, `12 min`, `5 h` */
function spoken(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / MS_PER_SECOND))
  if (seconds < FINE_UNITS) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < FINE_UNITS ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
