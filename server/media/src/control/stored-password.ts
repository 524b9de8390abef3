import type { KeyService } from './key-service.ts'
import type { CameraToServe } from './store.ts'

/** Undefined if the camera needs none. Rejects if the parent process can't open it now. */
export const openStoredPassword = async (
  camera: Pick<CameraToServe, 'accountId' | 'cameraId' | 'passwordSealed'>,
  { keyService }: { readonly keyService: Pick<KeyService, 'openPassword'> },
): Promise<string | undefined> =>
  camera.passwordSealed === null ? undefined : await keyService.openPassword(camera, camera.passwordSealed)
