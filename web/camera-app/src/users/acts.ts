import type { Text } from './text.ts'

/** Something that people want to know whether somebody may do it, with the call that it is. */
export interface Act {
  readonly operation: string
  readonly label: Text
  /** Asked of one camera. */
  readonly ofCamera?: true
}

interface Acts {
  readonly title: Text
  readonly acts: readonly Act[]
}

/** What an account is used for, in everyday words. Everything else is listed by the names of the calls. */
export const everydayActs: readonly Acts[] = [
  {
    title: 'Cameras',
    acts: [
      { operation: 'live', label: 'Watch live video', ofCamera: true },
      { operation: 'playback', label: 'Watch recordings', ofCamera: true },
      { operation: 'getSnapshot', label: 'See the latest picture', ofCamera: true },
      { operation: 'getRecordingTimeline', label: 'See when something was recorded', ofCamera: true },
      { operation: 'patchCamera', label: 'Rename a camera or move it to another zone', ofCamera: true },
    ],
  },
  {
    title: 'Zones',
    acts: [
      { operation: 'getZones', label: 'See the zones' },
      { operation: 'postZone', label: 'Add a zone' },
      { operation: 'patchZone', label: 'Change a zone' },
      { operation: 'deleteZone', label: 'Delete a zone' },
    ],
  },
  {
    title: 'Users',
    acts: [
      { operation: 'getUsers', label: 'See the users of the account' },
      { operation: 'addUser', label: 'Add a user' },
      { operation: 'patchPerson', label: 'Change a user and their rights' },
      { operation: 'blockPerson', label: 'Block a user' },
      { operation: 'deletePerson', label: 'Delete a user' },
      { operation: 'patchPermissionProfile', label: 'Change permission profiles' },
    ],
  },
  {
    title: 'Account',
    acts: [
      { operation: 'getAuditLogs', label: 'Read the audit log' },
      { operation: 'patchTimeZone', label: 'Change the time zone of the account' },
      { operation: 'patchSupportAccess', label: 'Let support into the account' },
      { operation: 'patchSubscription', label: 'Change the subscription' },
      { operation: 'postApiKey', label: 'Make API keys' },
    ],
  },
]
