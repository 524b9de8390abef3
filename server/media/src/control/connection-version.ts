import type { CameraToServe } from './store.ts'

/** The settings whose change reopens a channel; what was learned of the camera before no longer counts. */
export const connectionVersion = (camera: CameraToServe): string =>
  JSON.stringify([
    camera.address,
    camera.rtspPort,
    camera.mainPath,
    camera.subPath,
    camera.isSecure,
    camera.username,
    camera.passwordSealed?.toString('hex'),
    camera.allowBasic,
    [camera.onvif?.port, camera.onvif?.isSecure, camera.onvif?.certificate?.toString('hex')],
    // Tried again: whatever came of it before is no longer true.
    camera.additionStartedAt,
  ])
