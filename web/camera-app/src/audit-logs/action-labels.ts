import type { AuditGroup } from '@sightline/contract/audit-logs'
import type { Text } from './text.ts'

/** The label of an action. Actions that can't be in an account's log have none. */
const words: Readonly<Record<string, Text>> = {
  login: 'Signed in',
  loginFailed: 'Sign-in failed',
  visit: 'Public demo visited',
  logout: 'Signed out',
  deleteCurrentToken: 'Signed out',
  tokenRevoked: 'Session ended',
  deleteToken: 'Session ended',
  passwordChanged: 'Password changed',
  patchCredentials: 'Password changed',
  passwordReset: 'Password reset',
  mfaEnabled: 'Two-factor authentication turned on',
  mfaDisabled: 'Two-factor authentication turned off',
  mfaReset: 'Two-factor authentication reset by an administrator',
  recoveryCodeUsed: 'Recovery code used',
  recoveryCodesRenewed: 'Recovery codes replaced',
  lockedDown: 'Signed out everywhere after unrecognized sign-in',
  apiKeysEnded: 'API keys revoked',
  passkeyAdded: 'Passkey added',
  passkeyRenamed: 'Passkey renamed',
  passkeyRemoved: 'Passkey removed',
  passkeyRefused: 'Passkey rejected (it may have been copied)',
  passkeysAskedFor: 'Passkey required after password',
  passkeysNotAskedFor: 'Passkey no longer required',
  invitationAccepted: 'Invitation accepted',
  clientAllowed: 'App access granted',
  clientWithdrawn: 'App access removed',
  emailChangeConfirmed: 'Email change confirmed',
  emailChangeRefused: 'Email change rejected',
  emailChangedByOperator: 'Email address changed by an administrator',
  live: 'Watched live video',
  play: 'Watched recordings',
  patchCamera: 'Camera changed',
  postZone: 'Zone added',
  patchZone: 'Zone changed',
  deleteZone: 'Zone deleted',
  firstPersonCreated: 'First user created',
  addUser: 'User added',
  invitePerson: 'User invited',
  patchPerson: 'User changed',
  patchPersonDetails: 'User changed',
  patchPersonRights: 'User rights changed',
  patchPersonAccess: 'User access to cameras and zones changed',
  patchPersonCredentials: 'Password reset link sent',
  blockPerson: 'User blocked',
  unblockPerson: 'User unblocked',
  deletePerson: 'User deleted',
  patchUser: 'Name or email address changed',
  patchUserDetails: 'Personal details changed',
  addPermissionProfile: 'Permission profile added',
  patchPermissionProfile: 'Permission profile changed',
  deletePermissionProfile: 'Permission profile deleted',
  patchTimeZone: 'Account time zone changed',
  patchAccountDetails: 'Account contact details changed',
  postApiKey: 'API key created',
  patchApiKey: 'API key changed',
  rotateApiKey: 'API key secret created',
  deleteApiKey: 'API key deleted',
  requestDeletion: 'Deletion requested',
  cancelDeletion: 'Deletion canceled',
  accountDeleted: 'Account deleted after grace period',
  personDeleted: 'User deleted at their request',
  downloadPersonalData: 'Personal data downloaded',
  acceptAgreement: 'Subscription agreement accepted',
  patchSupportAccess: 'Support access changed',
  postSupportToken: 'Support session started',
  deleteSupportSession: 'Support session ended',
  deleteSupportSessions: 'Support session ended',
  auditExport: 'Audit log exported',
  addReport: 'Report created',
  addReportSchedule: 'Report schedule added',
  deleteReportSchedule: 'Report schedule deleted',
  addAccount: 'Account created by provider',
  patchResellerAccount: 'Account changed by provider',
  moveAccount: 'Account moved to another provider',
  patchAccountStatus: 'Public demo turned on or off',
  patchAccountUser: 'User changed by provider',
  patchSubscription: 'Subscription changed by provider',
  subscriptionProlonged: 'Subscription renewed',
  subscriptionChanged: 'Scheduled subscription change applied',
  subscriptionEnded: 'Subscription ended',
  putSubscriptionPackage: 'Subscription changed by provider',
}

export const actionLabel = (action: string): Text | undefined => words[action]

export const groupWords: Readonly<Record<AuditGroup, Text>> = {
  signIn: 'Sign-in',
  video: 'Video',
  cameras: 'Cameras',
  zones: 'Zones',
  users: 'Users',
  account: 'Account',
  support: 'Support',
  apiKeys: 'API keys',
  auditLog: 'Audit log',
  dealer: 'Provider',
  other: 'Other',
}

interface KnownAction {
  readonly action: string
  readonly group: AuditGroup
}

/** One option of the filter. Several actions may share a label. */
export interface ActionChoice {
  readonly text: Text
  readonly group: AuditGroup
  readonly actions: readonly string[]
}

/**
 * The actions that an account's log can contain, in the order of `order`. Actions without a label can only be found
 * with the search.
 */
export function actionChoices(known: readonly KnownAction[], order: readonly AuditGroup[]): readonly ActionChoice[] {
  const choices = new Map<Text, { text: Text; group: AuditGroup; actions: string[] }>()
  for (const { action, group } of known) {
    const text = words[action]
    if (text === undefined) continue
    const choice = choices.get(text)
    if (choice === undefined) choices.set(text, { text, group, actions: [action] })
    else choice.actions.push(action)
  }
  return [...choices.values()].sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group))
}
