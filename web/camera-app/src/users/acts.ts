import type { Text } from './text.ts'

/** An action in everyday words, with its call. */
export interface Act {
  readonly operation: string
  readonly label: Text
  /** The action concerns one camera. */
  readonly ofCamera?: true
}

interface Acts {
  readonly title: Text
  readonly acts: readonly Act[]
}

/** Common actions of an account. All others are listed by the names of their calls. */
export const everydayActs: readonly Acts[] = [
  {
    title: 'Cameras',
    acts: [
      { operation: 'live', label: 'Watch live video', ofCamera: true },
      { operation: 'playback', label: 'Watch recordings', ofCamera: true },
      { operation: 'mp4', label: 'Download footage', ofCamera: true },
      { operation: 'getSnapshot', label: 'View the latest snapshot', ofCamera: true },
      { operation: 'getRecordingTimeline', label: 'View the recording timeline', ofCamera: true },
      { operation: 'patchCamera', label: 'Rename a camera or move it to another zone', ofCamera: true },
    ],
  },
  {
    title: 'Zones',
    acts: [
      { operation: 'getZones', label: 'View zones' },
      { operation: 'postZone', label: 'Add zones' },
      { operation: 'patchZone', label: 'Edit zones' },
      { operation: 'deleteZone', label: 'Delete zones' },
    ],
  },
  {
    title: 'Users',
    acts: [
      { operation: 'getUsers', label: 'View users' },
      { operation: 'addUser', label: 'Add users' },
      { operation: 'patchPerson', label: 'Edit users and their rights' },
      { operation: 'blockPerson', label: 'Block users' },
      { operation: 'deletePerson', label: 'Delete users' },
      { operation: 'patchPermissionProfile', label: 'Edit permission profiles' },
    ],
  },
  {
    title: 'Account',
    acts: [
      { operation: 'getAuditLogs', label: 'View the audit log' },
      { operation: 'patchTimeZone', label: 'Change the account time zone' },
      { operation: 'patchSupportAccess', label: 'Manage support access' },
      { operation: 'patchSubscription', label: 'Change the subscription' },
      { operation: 'postApiKey', label: 'Create API keys' },
    ],
  },
]
