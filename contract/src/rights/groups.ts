import type { Right } from './rights.ts'

/** Under which headings screens show the rights; every right stands under exactly one. */
export const rightGroups = {
  viewing: ['LiveCamera', 'CameraView', 'ZonesView', 'ptz', 'microphone', 'localExceptions'],
  footage: ['playback', 'export', 'lockRecording', 'deleteRecording', 'edgeStorageManagement', 'storageUsage'],
  cameras: ['addPnpCamera', 'addCameraManually', 'editCamera', 'deleteCamera', 'logFiles'],
  sequencesAndGroups: [
    'addSequence',
    'editSequence',
    'deleteSequence',
    'addCameraGroup',
    'editCameraGroup',
    'deleteCameraGroup',
  ],
  zones: ['addZone', 'editZone', 'deleteZone', 'editSchedule'],
  detectionAndPicture: [
    'motionDetection',
    'audioPIR',
    'cameraExposureControl',
    'cameraPrivacyButton',
    'cameraIllumination',
    'receiveCameraAlerts',
  ],
  people: ['viewUserSettings', 'addUser', 'editUser', 'blockUser', 'deleteUser', 'demoUser'],
  account: ['userSettings'],
  devicesAndIntegration: ['deviceIORead', 'deviceIOWrite', 'manageWebhooks'],
} as const satisfies Readonly<Record<string, readonly Right[]>>
export type RightGroup = keyof typeof rightGroups

export const allRightGroups = Object.keys(rightGroups) as readonly RightGroup[]

/** Where screens find the words of a right in each language: what it is called, and what it lets somebody do. */
export const rightTextKeys = (right: Right): { readonly name: string; readonly description: string } => ({
  name: `rights.${right}.name`,
  description: `rights.${right}.description`,
})

/** Where screens find the heading of a group. */
export const rightGroupTextKey = (group: RightGroup): string => `rightGroups.${group}`
