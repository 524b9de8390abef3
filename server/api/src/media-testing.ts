import type { MediaPlane } from '@sightline/contract/media-plane'

/** Media workers without cameras and footage. */
export const idleMedia: MediaPlane = {
  snapshot: async () => ({ kind: 'cameraOffline' }),
  recordedPicture: async () => ({ kind: 'noFootage' }),
  camerasChanged: () => undefined,
  eventAdded: () => undefined,
}
