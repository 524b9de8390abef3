/** Cameras, their pictures and footage, zones: api.md §8, §10, §12, §13; product.md "Support sessions". */
import type { OperationCase } from '../operation.ts'

const followed = { after: '0', follow: 'false', statesOf: 'cameras,exports,shares,devices,jobs,supportSessions' }
const seeing = { callers: 'members', right: 'CameraView', support: 'yes' } as const

import { reachable } from './people.ts'

const editing = { callers: 'members', right: 'editCamera', support: 'yes' } as const
const HOUR_MS = 3_600_000
const span = () => ({
  from: new Date(Date.now() - HOUR_MS).toISOString(),
  till: new Date(Date.now()).toISOString(),
})

const noSpans = { recording: [], push: [], email: [] }

const opened = 'what is written down is the stream that the ticket opens'

/** Whether a picture is clear where the owner hides video from support, or the reverse. */
const clearWhereHidden: OperationCase['wrong'] = ({ is }, picture) => {
  const mustBlur = is.kind === 'member' && is.support?.video === 'hidden'
  if (picture.includes('blurredJpeg') === mustBlur) return undefined
  return mustBlur ? 'a clear picture' : 'a blurred picture'
}

export const camerasAndZones: Readonly<Record<string, OperationCase>> = {
  getCameras: { policy: seeing },
  getCamera: { policy: seeing },
  patchCamera: {
    policy: { callers: 'members', right: 'editCamera', support: 'yes' },
    send: ({ fresh }) => ({ body: { name: fresh } }),
  },
  'patchCamera to another zone': {
    policy: { callers: 'members', right: 'editCamera', support: 'yes' },
    send: ({ ids }) => ({ body: { zoneId: ids.zone } }),
    silent: 'it is there already',
  },
  getCameraConnection: { policy: { callers: 'members', right: 'editCamera', support: 'yes' } },
  patchCameraConnection: {
    policy: { callers: 'members', right: 'editCamera', support: 'yes' },
    send: () => ({ body: { localPort: 8554 } }),
  },
  getCameraCredentials: { policy: { callers: 'members', right: 'editCamera', support: 'yes' } },
  patchCameraCredentials: {
    policy: { callers: 'members', right: 'editCamera', support: 'yes' },
    send: ({ fresh }) => ({ body: { username: fresh } }),
  },
  getCameraLocation: { policy: seeing },
  patchCameraLocation: {
    policy: { callers: 'members', right: 'editCamera', support: 'yes' },
    send: () => ({ body: { latitude: '52.01', longitude: 4.36 } }),
  },
  postSetupCode: {
    policy: { callers: 'members', right: 'addPnpCamera', support: 'no', module: true },
    send: ({ ids, fresh }) => ({
      body: { name: fresh, zoneId: ids.zone, wifi: { ssid: fresh, password: 'not a secret' } },
    }),
    except: ({ who: { is }, ids }) =>
      is.kind === 'member' && is.reach !== 'all' && !is.reach.zones.includes(ids.zone)
        ? { verdict: 'absent', because: 'cameras are added to zones that are the caller’s as a whole' }
        : undefined,
  },
  getSetupCode: {
    policy: { callers: 'members', right: 'addPnpCamera', support: 'no', module: true },
    except: ({ who: { is }, ids }) =>
      is.kind === 'member' && is.reach !== 'all' && !is.reach.zones.includes(ids.zone)
        ? { verdict: 'absent', because: 'its camera is added to a zone that is not the caller’s as a whole' }
        : undefined,
  },
  registerBodyCamera: {
    policy: { callers: 'anybody', support: 'yes' },
    send: () => ({ body: { code: 'nobody-was-given-this-code', serialNumber: 'SN-1' } }),
    except: () => ({ verdict: 'absent', because: 'nobody has such a code' }),
  },
  postBodyCameraPositions: {
    policy: { callers: 'anybody', support: 'yes' },
    send: () => ({ body: { positions: [{ time: '2026-11-01T00:00:00Z', latitude: 52, longitude: 4 }] } }),
    also: { 401: 'nobody here has the token of a camera' },
  },
  getPushPicture: {
    policy: { callers: 'anybody', support: 'yes' },
    except: () => ({ verdict: 'absent', because: 'nobody here has the token of a message' }),
  },
  getBodyCameraTrack: {
    policy: { callers: 'members', right: 'playback', support: 'no', module: true },
    send: () => ({ query: { from: '2026-11-01T00:00:00Z', till: '2026-11-02T00:00:00Z' } }),
  },
  postCamera: {
    policy: { callers: 'members', right: 'addCameraManually', support: 'yes' },
    send: ({ ids, fresh }) => ({
      body: { name: fresh, zoneId: ids.zone, address: `${fresh.toLowerCase()}.example`, streamPath: '/main' },
    }),
    except: ({ who: { is }, ids }) =>
      is.kind === 'member' && is.reach !== 'all' && !is.reach.zones.includes(ids.zone)
        ? { verdict: 'absent', because: 'cameras are added to zones that are the caller’s as a whole' }
        : undefined,
  },
  postCameras: {
    policy: { callers: 'members', right: 'addCameraManually', orRight: 'addPnpCamera', support: 'yes' },
    send: ({ ids, fresh }) => ({
      body: {
        zoneId: ids.zone,
        cameras: [{ name: fresh, address: `${fresh.toLowerCase()}.example`, streamPath: '/main' }],
      },
    }),
    except: ({ who: { is }, ids }) =>
      is.kind === 'member' && is.reach !== 'all' && !is.reach.zones.includes(ids.zone)
        ? { verdict: 'absent', because: 'cameras are added to zones that are the caller’s as a whole' }
        : undefined,
  },
  getCameraAddition: {
    policy: { callers: 'members', right: 'addCameraManually', orRight: 'addPnpCamera', support: 'yes' },
  },
  getCameraDiscovery: { policy: { callers: 'members', right: 'addPnpCamera', support: 'yes' } },
  startCameraDiscovery: {
    policy: { callers: 'members', right: 'addPnpCamera', support: 'yes' },
    send: () => ({ body: {} }),
  },
  retryCameraAddition: {
    policy: { callers: 'members', right: 'addCameraManually', orRight: 'addPnpCamera', support: 'yes' },
    send: () => ({ body: {} }),
    also: { 409: 'the addition of the camera has not failed' },
    silent: 'the addition of the camera has not failed',
  },
  dismissCameraAddition: {
    policy: { callers: 'members', right: 'addCameraManually', orRight: 'addPnpCamera', support: 'yes' },
    also: { 409: 'the addition of the camera has not failed' },
    silent: 'the addition of the camera has not failed',
  },
  deleteCamera: {
    policy: { callers: 'members', right: 'deleteCamera', support: 'no' },
    also: { 400: 'without a password nothing is removed' },
    silent: 'without a password nothing is removed',
  },
  getCameraStatuses: { policy: seeing },
  getCameraStatus: { policy: seeing },
  getCameraMaintenance: { policy: seeing },
  putCameraMaintenance: {
    policy: { callers: 'members', right: 'editCamera', support: 'yes' },
    send: () => ({ body: { enabled: true } }),
  },
  patchCameraWarning: {
    policy: { callers: 'members', right: 'CameraView', support: 'no', apiKey: 'no' },
    send: () => ({ params: { warning: 'clockWrong' }, body: { dismissed: true } }),
  },
  setCameraClock: { policy: { callers: 'members', right: 'editCamera', support: 'yes' } },
  getCameraJobs: { policy: editing },
  getCameraJob: { policy: editing },
  deleteCameraJob: {
    policy: editing,
    also: { 409: 'a job that has ended can’t be canceled' },
    silent: 'a job that has ended can’t be canceled',
  },
  rebootCamera: {
    policy: editing,
    also: { 409: 'the camera is restarting already', 422: 'not every camera is connected by ONVIF' },
    silent: 'not every camera is connected by ONVIF',
  },
  getCameraWifi: { policy: editing },
  patchCameraWifi: { policy: editing, send: () => ({ body: { enabled: false } }) },
  getWifiNetworks: { policy: editing },
  putWifiNetwork: { policy: editing, send: () => ({ params: { ssid: 'Shop' }, body: { password: 'a password' } }) },
  deleteWifiNetwork: { policy: editing, send: () => ({ params: { ssid: 'Shop' } }) },
  getCameraStatistics: { policy: { callers: 'members', right: 'logFiles', support: 'yes' } },
  getCameraCheckUp: { policy: editing },
  checkCamera: {
    policy: editing,
    also: { 409: 'the camera is being checked already', 424: 'the camera is offline' },
    silent: 'not every camera is online',
  },
  getCameraCheckUpReport: { policy: editing, also: { 404: 'the camera was never checked' } },
  getCameraFirmware: { policy: editing },
  upgradeCameraFirmware: {
    policy: { ...editing, support: 'no' },
    send: () => ({ body: {} }),
    also: { 409: 'no newer firmware is offered', 422: 'not every camera is connected by ONVIF' },
    silent: 'no newer firmware is offered',
  },
  upgradeCamerasFirmware: {
    policy: { ...editing, support: 'no' },
    send: (scene) => ({ body: { cameraIds: reachable(scene) } }),
    also: { 400: 'a caller without cameras names none' },
    silent: 'no newer firmware is offered',
  },
  getCameraCapabilities: { policy: seeing },
  refreshCameraCapabilities: {
    policy: { callers: 'members', right: 'editCamera', support: 'yes' },
    silent: 'the worker stores what the camera says',
  },
  getDeviceInfo: { policy: seeing },
  getEdgeStorage: { policy: { callers: 'members', right: 'edgeStorageManagement', support: 'yes' } },
  formatEdgeStorage: {
    policy: { callers: 'members', right: 'edgeStorageManagement', support: 'yes' },
    send: () => ({ params: { edgeStorageId: '1' } }),
    also: { 409: 'a job of the camera waits already' },
  },
  getCloudSync: { policy: { callers: 'members', right: 'edgeStorageManagement', support: 'yes' } },
  patchCloudSync: {
    policy: { callers: 'members', right: 'edgeStorageManagement', support: 'yes' },
    send: () => ({ body: { enabled: false } }),
  },
  getSyncJobs: { policy: { callers: 'members', right: 'edgeStorageManagement', support: 'yes' } },
  getCameraReplacement: { policy: { callers: 'members', right: 'addCameraManually', support: 'yes' } },
  postCameraReplacement: {
    policy: { callers: 'members', right: 'addCameraManually', support: 'yes' },
    send: () => ({ body: { address: '192.0.2.99', dryRun: true } }),
  },
  undoCameraReplacement: {
    policy: { callers: 'members', right: 'addCameraManually', support: 'yes' },
    also: { 404: 'the camera was never replaced' },
    silent: 'the camera was never replaced',
  },
  getVideoSettings: { policy: seeing },
  patchVideoSettings: {
    policy: { callers: 'members', right: 'editCamera', support: 'yes' },
    send: () => ({ body: { framesPerSecond: 10 } }),
  },
  getAudioSettings: { policy: { callers: 'members', right: 'editCamera', support: 'yes' } },
  patchAudioSettings: {
    policy: { callers: 'members', right: 'editCamera', support: 'yes' },
    send: () => ({ body: { microphone: false } }),
  },
  sendCameraAudio: {
    policy: { callers: 'members', right: 'microphone', support: 'no', apiKey: 'no' },
    send: () => ({ text: 'sound', headers: { 'content-type': 'audio/basic' } }),
  },
  moveCamera: {
    policy: { callers: 'members', right: 'ptz', support: 'no' },
    send: () => ({ body: { action: 'home' } }),
  },
  getPtzCapabilities: { policy: seeing },
  getFocus: { policy: seeing },
  moveFocus: {
    policy: { callers: 'members', right: 'ptz', support: 'no' },
    send: () => ({ body: { action: 'auto' } }),
  },
  getPtzPresets: { policy: { callers: 'members', right: 'ptz', support: 'no' } },
  postPtzPreset: {
    policy: { callers: 'members', right: 'ptz', support: 'no' },
    send: () => ({ body: { name: 'Door' } }),
  },
  deletePtzPreset: {
    policy: { callers: 'members', right: 'ptz', support: 'no' },
    send: () => ({ params: { presetId: '1' } }),
  },
  getCameraMode: { policy: seeing },
  patchCameraMode: {
    policy: { callers: 'members', right: 'editCamera', support: 'yes' },
    send: () => ({ body: { mode: 'silent' } }),
  },
  getZoneMode: { policy: { callers: 'members', right: 'ZonesView', support: 'yes' } },
  patchZoneMode: {
    policy: { callers: 'members', right: 'editZone', support: 'yes' },
    send: () => ({ body: { mode: 'silent' } }),
    wholeZone: true,
  },
  getDetectors: { policy: seeing },
  getVideoDetector: { policy: seeing },
  patchVideoDetector: {
    policy: { callers: 'members', right: 'motionDetection', support: 'yes' },
    send: () => ({ body: { sensitivity: 70 } }),
  },
  getMotionPreview: { policy: { callers: 'members', right: 'motionDetection', support: 'video' } },
  getAudioDetector: { policy: seeing },
  patchAudioDetector: {
    policy: { callers: 'members', right: 'audioPIR', support: 'yes' },
    send: () => ({ body: { sensitivity: 70 } }),
  },
  getPirDetector: { policy: seeing },
  patchPirDetector: {
    policy: { callers: 'members', right: 'audioPIR', support: 'yes' },
    send: () => ({ body: { inputs: [] } }),
  },
  getDetectionAreas: { policy: seeing },
  putDetectionAreas: {
    policy: { callers: 'members', right: 'motionDetection', support: 'yes' },
    send: () => ({ body: [] }),
  },
  getCameraSchedule: { policy: seeing },
  putCameraSchedule: {
    policy: { callers: 'members', right: 'editSchedule', support: 'yes' },
    send: () => ({ body: noSpans }),
  },
  deleteCameraSchedule: { policy: { callers: 'members', right: 'editSchedule', support: 'yes' } },
  getZoneSchedule: { policy: { callers: 'members', right: 'ZonesView', support: 'yes' } },
  putZoneSchedule: {
    policy: { callers: 'members', right: 'editSchedule', support: 'yes' },
    send: () => ({ body: noSpans }),
    wholeZone: true,
  },
  getSnapshot: {
    policy: { callers: 'members', right: 'CameraView', support: 'blurred' },
    records: 'what support sees is told the owner',
    wrong: clearWhereHidden,
  },

  getStreams: { policy: { callers: 'members', right: 'LiveCamera', support: 'video' } },
  postStreamTicket: {
    policy: { callers: 'members', right: 'LiveCamera', support: 'video', harmless: true },
    send: () => ({ body: { use: 'live' } }),
    silent: opened,
  },
  'postStreamTicket for playback': {
    policy: { callers: 'members', right: 'playback', support: 'video', harmless: true },
    send: () => ({ body: { use: 'playback' } }),
    silent: opened,
  },
  getRecordingTimeline: {
    policy: { callers: 'members', right: 'playback', support: 'yes' },
    send: () => ({ query: span() }),
  },

  getRecordingTimelines: {
    policy: { callers: 'members', right: 'playback', support: 'yes' },
    send: ({ ids }) => ({ query: { ...span(), cameraIds: String(ids.camera) } }),
  },
  getRecordingSums: {
    policy: { callers: 'members', right: 'playback', support: 'yes' },
    send: ({ ids }) => ({ query: { ...span(), cameraIds: String(ids.camera), interval: 'hour' } }),
  },

  getRecordings: { policy: { callers: 'members', right: 'playback', support: 'yes' } },
  getCameraRecordings: { policy: { callers: 'members', right: 'playback', support: 'yes' } },
  getRecording: {
    policy: { callers: 'members', right: 'playback', support: 'yes' },
    send: ({ ids }) => ({ params: { recordingId: `${ids.camera}-${'0'.repeat(32)}` } }),
  },
  getAdjacentEvent: {
    policy: { callers: 'members', right: 'playback', support: 'yes' },
    send: () => ({ query: { time: '2026-01-01T00:00:00Z', direction: 'next' } }),
  },
  getRecordedPicture: {
    policy: { callers: 'members', right: 'playback', support: 'video' },
    send: () => ({ query: { time: '2026-01-01T00:00:00Z' } }),
    records: 'which hours of footage were looked at',
    wrong: clearWhereHidden,
  },
  getRecordingLocks: { policy: { callers: 'members', right: 'playback', support: 'yes' } },
  addRecordingLock: {
    policy: { callers: 'members', right: 'lockRecording', support: 'no' },
    send: ({ fresh }) => ({ body: { ...span(), reason: fresh } }),
  },
  deleteRecordingLock: { policy: { callers: 'members', right: 'lockRecording', support: 'no' } },
  deleteRecordings: {
    policy: { callers: 'members', right: 'deleteRecording', support: 'no' },
    send: () => ({ query: { from: '2025-01-01T00:00:00Z', till: '2025-01-02T00:00:00Z' } }),
  },
  getRecordingDeletion: { policy: { callers: 'members', right: 'playback', support: 'yes' } },

  getEvents: { policy: seeing },
  getEvent: { policy: seeing },
  getEventPicture: {
    policy: { callers: 'members', right: 'playback', support: 'blurred' },
    records: 'what support sees is told the owner',
    wrong: clearWhereHidden,
  },
  getEventTypes: { policy: seeing },
  getEventStream: { policy: seeing, send: () => ({ query: followed }) },
  patchEvent: {
    policy: { callers: 'members', right: 'playback', support: 'yes' },
    send: ({ fresh }) => ({ body: { bookmarked: true, note: fresh } }),
  },
  postCameraEvent: {
    policy: { callers: 'members', right: 'editCamera', support: 'no' },
    send: ({ fresh }) => ({ body: { type: 'custom', name: fresh } }),
  },

  // The own account's storage and the other calls of that right: api.md §5, §20.
  getCameraLogs: { policy: { callers: 'members', right: 'logFiles', support: 'yes' } },
  getStorageUsage: { policy: { callers: 'members', right: 'storageUsage', support: 'yes' } },
  getAccountUsage: { policy: { callers: 'members', right: 'storageUsage', support: 'yes' } },

  getZones: { policy: { callers: 'members', right: 'ZonesView', support: 'yes' } },
  postZone: {
    policy: { callers: 'members', right: 'addZone', support: 'yes' },
    send: ({ fresh }) => ({ body: { name: fresh } }),
  },
  getZone: { policy: { callers: 'members', right: 'ZonesView', support: 'yes' } },
  patchZone: {
    policy: { callers: 'members', right: 'editZone', support: 'yes' },
    send: ({ fresh }) => ({ body: { name: fresh } }),
    wholeZone: true,
  },
  deleteZone: {
    policy: { callers: 'members', right: 'deleteZone', support: 'yes' },
    uses: ({ world, who }) =>
      who.is.kind === 'member' ? { zone: who.is.account.zones.empty } : { zone: world.own.accounts[0].zones.empty },
    wholeZone: true,
  },
}
