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

const groupOf = new Map<Right, RightGroup>(
  allRightGroups.flatMap((group) => rightGroups[group].map((right) => [right, group] as const)),
)

/** Where screens find the words of a right in each language: what it is called, and what it lets somebody do. */
export const rightTextKeys = (right: Right): { readonly name: string; readonly description: string } => ({
  name: `rights.${right}.name`,
  description: `rights.${right}.description`,
})

/** Where screens find the heading of a group. */
export const rightGroupTextKey = (group: RightGroup): string => `rightGroups.${group}`

/** @throws TypeError where a right stands under no heading, which a test rules out. */
export function groupOfRight(right: Right): RightGroup {
  const group = groupOf.get(right)
  if (group === undefined) throw new TypeError(`the right ${right} is in no group`)
  return group
}
