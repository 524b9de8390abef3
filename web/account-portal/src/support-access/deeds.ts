import type { Translation } from '@sightline/shell'
import type { SupportText } from './text.ts'

const deeds: Readonly<Record<string, SupportText>> = {
  postSupportToken: 'Came into the account',
  live: 'Watched live',
  play: 'Watched recorded footage',
  snapshot: 'Looked at a picture',
  patchCamera: 'Changed a camera',
  patchZone: 'Changed a zone',
  postZone: 'Added a zone',
  deleteZone: 'Deleted a zone',
  patchPerson: 'Changed a user',
  patchPersonDetails: 'Changed a user',
  patchAccountUser: 'Changed a user',
  patchUserDetails: 'Changed details',
  patchTimeZone: 'Changed the time zone',
  patchNotificationSetting: 'Changed notifications',
  patchSubscription: 'Changed the subscription',
  patchResellerAccount: 'Changed the account',
  patchAccountStatus: 'Changed the account',
  addAccount: 'Made the account',
  moveAccount: 'Moved the account',
}

/** What somebody did, in words; what has none here is told by the audit log. */
export const deedOf = (action: string, t: Translation<SupportText>): string => t(deeds[action] ?? 'Something else')
