import type { StreamServerMessage } from '@sightline/contract/streams'

export type InitMessage = Extract<StreamServerMessage, { type: 'init' }>

/** Where pictures go: a canvas by way of WebCodecs, or a video element by way of MediaSource. Sound is not its matter. */
export interface PictureSink {
  readonly kind: 'webcodecs' | 'mse'
  /** A new initialisation segment. Media times after it go on, or begin anew: then what is waiting is dropped. */
  begin(init: InitMessage, segment: Uint8Array): void
  /** The picture at this media time (seconds) is of that time of day. Comes before the fragment it is about. */
  mark(mediaTime: number, wallclock: number): void
  push(fragment: Uint8Array): void
  /** Nothing more will come; what is there is still to be shown. */
  finish(): void
  setPaused(paused: boolean): void
  setRate(rate: number): void
  /** Frames forward or, negative, back; false where those pictures are not here. */
  step(frames: number): boolean
  /** Media time (seconds) of the picture on the screen; undefined while it stands still. */
  mediaTime(): number | undefined
  close(): void
}

export interface SinkEvents {
  /** A picture is on the screen; its time of day, where known. */
  readonly onPicture: (wallclock: number | undefined) => void
  /** The last picture after `finish` was shown. */
  readonly onFinished: () => void
  /** The stream cannot be shown: the codec is unknown here, or the decoder gave up. */
  readonly onFailure: (reason: 'unsupported' | 'decoder', detail: string) => void
}

export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))
