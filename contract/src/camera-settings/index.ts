import * as z from 'zod/mini'
import { idText, route } from '../wire/index.ts'
import { cameraVideo, videoSettingsPatch } from './video-settings.ts'

export {
  type CameraVideo,
  cameraVideo,
  rightOfVideoSetting,
  type UnavailableReason,
  type VideoOptions,
  type VideoSettingName,
  type VideoSettings,
  type VideoSettingsPatch,
  videoSettingFault,
  videoSettingNames,
} from './video-settings.ts'

const deviceErrors = [
  'capabilityNotSupported',
  'deviceCredentialsIncorrect',
  'deviceInternal',
  'cameraOffline',
  'timedOut',
] as const

const ofVideo = {
  path: 'cameras/{cameraId}/settings/video',
  access: 'object',
  right: 'CameraView',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  waitsForOthers: true,
  reply: cameraVideo,
} as const

export const getVideoSettings = route({
  ...ofVideo,
  name: 'getVideoSettings',
  summary: 'Get what a camera’s video is set to and can be set to, read from the camera',
  method: 'GET',
  errors: ['notFound', ...deviceErrors],
})

export const patchVideoSettings = route({
  ...ofVideo,
  name: 'patchVideoSettings',
  summary:
    'Change the settings of a camera’s video; the reply is read from the camera. Needs the right editCamera; ' +
    'cameraExposureControl for antiFlicker, backlight, dayNight and colorNightView; cameraIllumination for illumination',
  method: 'PATCH',
  body: videoSettingsPatch,
  errors: ['validation', 'notFound', ...deviceErrors],
})
