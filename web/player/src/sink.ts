import type { StreamServerMessage } from '@sightline/contract/streams'

export type InitMessage = Extract<StreamServerMessage, { type: 'init' }>

/** Draws pictures, without sound: on a canvas with WebCodecs, or in a video element with MediaSource. */
export interface PictureSink {
  readonly kind: 'webcodecs' | 'mse'
  /** A new initialization segment. If media time restarts after it, queued pictures are dropped. */
  begin(init: InitMessage, segment: Uint8Array): void
  /** The time of day of the picture at this media time (seconds). Comes before its fragment. */
  mark(mediaTime: number, wallclock: number): void
  push(fragment: Uint8Array): void
  /** No more fragments follow; queued pictures are still shown. */
  finish(): void
  setPaused(paused: boolean): void
  setRate(rate: number): void
  /** Steps by that many frames; negative steps back. Returns false if the pictures are not buffered. */
  step(frames: number): boolean
  /** Media time (seconds) of the current picture; undefined while it stands still. */
  mediaTime(): number | undefined
  /** Pictures that arrived and were never drawn. */
  readonly dropped: number
  /** Seconds of media beyond the current picture. */
  readonly buffered: number | undefined
  close(): void
}

export interface SinkEvents {
  /** Called when a picture is drawn, with its time of day if known. */
  readonly onPicture: (wallclock: number | undefined) => void
  /** Called after the last picture, once `finish` was called. */
  readonly onFinished: () => void
  /** Called if the stream can't be shown: unknown codec, or a decoder error. */
  readonly onFailure: (reason: 'unsupported' | 'decoder', detail: string) => void
}

export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The code of an error from the API, whatever its class. */
export const errorCode = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
    ? error.code
    : undefined
