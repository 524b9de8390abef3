/** Where pictures come from: a camera's address, its stream, and what keeps it connected. */
export {
  type AddressRules,
  addressRule,
  type CameraConnect,
  type CameraTarget,
  checkedConnect,
} from './camera-address.ts'
export { type CameraFault, type CameraFaultKind, fault } from './camera-fault.ts'
export { type CameraSessionOptions, type CameraState, keepCameraConnected, retryDelay } from './camera-session.ts'
export { askOnvif, type OnvifCamera, type OnvifOptions, type OnvifProfile } from './onvif/onvif-camera.ts'
export type { HttpAddress } from './onvif/onvif-http.ts'
export { type PlayRtspOptions, playRtsp, type RtspTimeouts } from './rtsp/play-rtsp.ts'
export { parseRtspAddress, type RtspAddress, rtspUrl } from './rtsp/rtsp-address.ts'
export type { CameraCredentials } from './rtsp/rtsp-authentication.ts'
export { newCounters, type StreamCounters } from './rtsp/stream-counters.ts'
