import type { MediaPlane } from '@sightline/contract/media-plane'

/** Media workers without cameras and footage. */
export const idleMedia: MediaPlane = {
  snapshot: async () => ({ kind: 'cameraOffline' }),
  recordedPicture: async () => ({ kind: 'noFootage' }),
  setCameraClock: async () => ({ kind: 'cameraOffline' }),
  talk: async () => ({ kind: 'cameraOffline' }),
  camerasChanged: () => undefined,
  eventAdded: () => undefined,
}
