/**
 * What the API may ask of the media plane. In one process tree these are messages to the worker that has the camera, on
 * many machines calls to it.
 */
export interface MediaPlane {
  /** The newest key picture of a camera, or why there is none. */
  snapshot(question: { cameraId: number; format: SnapshotFormat }): Promise<SnapshotAnswer>
}

/**
 * `mp4` is the key picture as one sample and needs no decoder; the others need one on the server. In a `blurredJpeg` no face,
 * plate or writing can be made out: what leaves the media plane for support while the owner hides video.
 */
export type SnapshotFormat = 'mp4' | 'jpeg' | 'blurredJpeg'

export type SnapshotAnswer =
  | {
      readonly kind: 'picture'
      readonly contentType: 'image/jpeg' | 'video/mp4'
      readonly bytes: Uint8Array
      readonly takenAt: number
    }
  | { readonly kind: 'cameraOffline' | 'noDecoder' | 'timedOut' }
