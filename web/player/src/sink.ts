import type { StreamServerMessage } from '@sightline/contract/streams'

export type InitMessage = Extract<StreamServerMessage, { type: 'init' }>

/** A picture that is on the screen now. */
export interface ShownPicture {
  /** Seconds, on the sink's own media time. */
  readonly mediaTime: number
}

/** Where pictures go: a canvas by way of WebCodecs, or a video element by way of MediaSource. */
export interface PictureSink {
  readonly kind: 'webcodecs' | 'mse'
  /** A new initialisation segment; `fresh` drops what is waiting (after a seek), else pictures go on after what is there. */
  begin(init: InitMessage, segment: Uint8Array, fresh: boolean): void
  push(fragment: Uint8Array): void
  /** The sink's media time of a media time of the stream: they differ where runs were joined. */
  toSinkTime(streamTime: number): number
  setPaused(paused: boolean): void
  setRate(rate: number): void
  close(): void
}

export interface SinkEvents {
  readonly onPicture: (picture: ShownPicture) => void
  /** The stream cannot be shown: the codec is unknown here, or the decoder gave up. */
  readonly onFailure: (reason: 'unsupported' | 'decoder', detail: string) => void
}
