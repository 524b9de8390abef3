export { CameraPicture, type CameraPictureProps, useViewState } from './CameraPicture.tsx'
export {
  type CameraView,
  openCameraView,
  type Phase,
  type Screen,
  type ViewOptions,
  type ViewState,
} from './camera-view.ts'
export { drawKeyPicture } from './key-picture.ts'
export { streamAddress } from './stream-address.ts'
