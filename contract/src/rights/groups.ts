import type { Right } from './rights.ts'

/** The headings of rights on screens; each right is under exactly one. */
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

/** The keys of a right's texts: its name and its description. */
export const rightTextKeys = (right: Right): { readonly name: string; readonly description: string } => ({
  name: `rights.${right}.name`,
  description: `rights.${right}.description`,
})

/** The key of a group's heading. */
export const rightGroupTextKey = (group: RightGroup): string => `rightGroups.${group}`
