import type { TrackConfig } from '../frame/index.ts'
import type { PlayRequest } from './play-request.ts'
import type { RtspAnswer } from './rtsp-answer.ts'
import type { SessionRange } from './session-description.ts'
import type { TrackSenders } from './track-senders.ts'

/** What a client sets up. */
export interface Presentation extends SessionRange {
  readonly tracks: readonly TrackConfig[]
}

/** Where packets go; resolves with false once the client is gone. */
export type Output = (pieces: readonly Uint8Array[]) => Promise<boolean>

/** What a session plays: a camera's live video, or its footage. */
export interface Player {
  /** Undefined if there is nothing to play. */
  open(): Promise<Presentation | undefined>
  /** Answers PLAY; nothing is being sent meanwhile. */
  play(request: PlayRequest, senders: TrackSenders): Promise<RtspAnswer>
  /** Whether PLAY, while it plays, has something to change. */
  isChangedBy(request: PlayRequest): boolean
  /** Sends until the signal aborts (`held`), the end of what was asked for, or the client has to connect again (`gone`). */
  send(output: Output, signal: AbortSignal): Promise<'held' | 'ended' | 'gone'>
  /** Answers PAUSE, once nothing is being sent any more. */
  pause(): RtspAnswer
  close(): Promise<void>
}
