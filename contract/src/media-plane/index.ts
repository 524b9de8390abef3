/**
 * The interface of the media plane for the API. In one process tree these are messages to the worker of the camera, on
 * several machines calls to it.
 */
export interface MediaPlane {
  /** The latest keyframe of a camera, or why there is none. */
  snapshot(question: { cameraId: number; format: SnapshotFormat }): Promise<SnapshotAnswer>
  /** Cameras were added, changed or removed: the workers read them again at once instead of after some seconds. */
  camerasChanged(): void
  /** Someone added an event to a camera; `at` in milliseconds since 1970. A camera that records on events records it. */
  eventAdded(event: { cameraId: number; at: number }): void
}

/**
 * `mp4` is the keyframe as one sample and needs no decoder; the others need one on the server. In a `blurredJpeg`,
 * faces, license plates and texts can't be recognized. It is the format for support while the owner hides video.
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
