import type { OnvifDevice } from './device.ts'
import * as deviceService from './device-service.ts'
import * as encoderService from './encoder-service.ts'
import { getImagingOptions, getImagingSettings, setImagingSettings } from './imaging-service.ts'
import { getMoveOptions, moveLens, stopLens } from './lens.ts'
import * as mediaService from './media-service.ts'
import { getProfiles2, getSnapshotUri2, getStreamUri2 } from './media2-service.ts'
import type { SoapFault, XmlNode } from './soap.ts'

export type OnvifOperation = (device: OnvifDevice, body: XmlNode) => string | SoapFault

export const OPERATIONS: ReadonlyMap<string, OnvifOperation> = new Map<string, OnvifOperation>([
  ['GetDeviceInformation', deviceService.getDeviceInformation],
  ['GetCapabilities', deviceService.getCapabilities],
  ['GetServices', deviceService.getServices],
  ['GetNetworkInterfaces', deviceService.getNetworkInterfaces],
  ['GetScopes', deviceService.getScopes],
  ['GetProfiles', mediaService.getProfiles],
  ['GetProfile', mediaService.getProfile],
  ['GetStreamUri', mediaService.getStreamUri],
  ['GetSnapshotUri', mediaService.getSnapshotUri],
  ['GetVideoSources', mediaService.getVideoSources],
  ['GetServiceCapabilities', deviceService.getServiceCapabilities],
  ['SendAuxiliaryCommand', deviceService.sendAuxiliaryCommand],
  ['GetVideoEncoderConfigurationOptions', encoderService.getVideoEncoderConfigurationOptions],
  ['SetVideoEncoderConfiguration', (device, body) => encoderService.setVideoEncoderConfiguration(device, body, 'trt')],
  [
    'GetVideoSourceConfigurationOptions',
    (device, body) => encoderService.getVideoSourceConfigurationOptions(device, body, 'trt'),
  ],
  ['SetVideoSourceConfiguration', (device, body) => encoderService.setVideoSourceConfiguration(device, body, 'trt')],
  ['GetAudioSources', encoderService.getAudioSources],
  ['GetAudioOutputs', encoderService.getAudioOutputs],
])
/** Those of Media2 that differ; the paths tell them apart. */
export const OPERATIONS2: ReadonlyMap<string, OnvifOperation> = new Map<string, OnvifOperation>([
  ['GetProfiles', getProfiles2],
  ['GetStreamUri', getStreamUri2],
  ['GetSnapshotUri', getSnapshotUri2],
  ['GetVideoEncoderConfigurationOptions', encoderService.getVideoEncoderConfigurationOptions2],
  ['SetVideoEncoderConfiguration', (device, body) => encoderService.setVideoEncoderConfiguration(device, body, 'tr2')],
  [
    'GetVideoSourceConfigurationOptions',
    (device, body) => encoderService.getVideoSourceConfigurationOptions(device, body, 'tr2'),
  ],
  ['SetVideoSourceConfiguration', (device, body) => encoderService.setVideoSourceConfiguration(device, body, 'tr2')],
])
export const IMAGING_OPERATIONS: ReadonlyMap<string, OnvifOperation> = new Map<string, OnvifOperation>([
  ['GetImagingSettings', getImagingSettings],
  ['GetOptions', getImagingOptions],
  ['SetImagingSettings', setImagingSettings],
  ['GetMoveOptions', getMoveOptions],
  ['Move', moveLens],
  ['Stop', stopLens],
])
