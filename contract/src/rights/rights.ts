import * as z from 'zod/mini'

/** The rights of a user, keys exactly as in the specification §6, in screen order. */
export const allRights = [
  'ptz',
  'microphone',
  'LiveCamera',
  'CameraView',
  'ZonesView',
  'playback',
  'deleteRecording',
  'lockRecording',
  'export',
  'addSequence',
  'editSequence',
  'deleteSequence',
  'addZone',
  'editZone',
  'deleteZone',
  'addCameraGroup',
  'editCameraGroup',
  'deleteCameraGroup',
  'addPnpCamera',
  'addCameraManually',
  'editCamera',
  'deleteCamera',
  'editSchedule',
  'receiveCameraAlerts',
  'motionDetection',
  'audioPIR',
  'cameraExposureControl',
  'cameraPrivacyButton',
  'cameraIllumination',
  'edgeStorageManagement',
  'addUser',
  'editUser',
  'deleteUser',
  'blockUser',
  'viewUserSettings',
  'demoUser',
  'localExceptions',
  'storageUsage',
  'logFiles',
  'userSettings',
  'deviceIORead',
  'deviceIOWrite',
  'manageWebhooks',
] as const
export type Right = (typeof allRights)[number]

/** Rights that every user has and that can't be removed (decision 15). */
export const mandatoryRights: readonly Right[] = ['LiveCamera', 'CameraView', 'ZonesView']

export const userRights = z.object(
  Object.fromEntries(allRights.map((right) => [right, z.boolean()])) as Record<Right, z.ZodMiniBoolean>,
)
export type UserRights = Readonly<Record<Right, boolean>>
