import type { AuditGroup } from '@sightline/contract/audit-logs'
import type { Text } from './text.ts'

/** What an action is called; those that cannot be in the log of an account have no words. */
const words: Readonly<Record<string, Text>> = {
  login: 'Signed in',
  loginFailed: 'Sign-in failed',
  visit: 'Looked around the demonstration',
  logout: 'Signed out',
  deleteCurrentToken: 'Signed out',
  tokenRevoked: 'Session ended',
  deleteToken: 'Session ended',
  passwordChanged: 'Password changed',
  patchCredentials: 'Password changed',
  passwordReset: 'Password reset',
  mfaEnabled: 'Two-factor sign-in switched on',
  mfaDisabled: 'Two-factor sign-in switched off',
  mfaReset: 'Two-factor sign-in reset by the operator',
  recoveryCodeUsed: 'Recovery code used',
  recoveryCodesRenewed: 'Recovery codes replaced',
  lockedDown: 'Signed out everywhere: it was somebody else',
  apiKeysEnded: 'API keys ended',
  passkeyAdded: 'Passkey added',
  passkeyRenamed: 'Passkey renamed',
  passkeyRemoved: 'Passkey removed',
  passkeyRefused: 'Passkey refused, there may be a copy',
  passkeysAskedFor: 'Passkey asked for after the password',
  passkeysNotAskedFor: 'Passkey no longer asked for',
  invitationAccepted: 'Invitation accepted',
  clientAllowed: 'Application allowed',
  clientWithdrawn: 'App access removed',
  emailChangeConfirmed: 'Email change confirmed',
  emailChangeRefused: 'Email change refused',
  emailChangedByOperator: 'Email changed by the operator',
  live: 'Watched live',
  play: 'Watched recorded footage',
  patchCamera: 'Camera changed',
  postZone: 'Zone added',
  patchZone: 'Zone changed',
  deleteZone: 'Zone deleted',
  firstPersonCreated: 'First person created',
  addUser: 'User added',
  invitePerson: 'User invited',
  patchPerson: 'User changed',
  patchPersonDetails: 'User changed',
  patchPersonRights: 'Rights of a user changed',
  patchPersonAccess: 'Cameras and zones of a user changed',
  patchPersonCredentials: 'Link for a new password sent',
  blockPerson: 'User blocked',
  unblockPerson: 'User unblocked',
  deletePerson: 'User deleted',
  patchUser: 'Own name or email address changed',
  patchUserDetails: 'Own details changed',
  addPermissionProfile: 'Permission profile added',
  patchPermissionProfile: 'Permission profile changed',
  deletePermissionProfile: 'Permission profile deleted',
  patchTimeZone: 'Time zone of the account changed',
  patchAccountDetails: 'Contact of the account changed',
  postApiKey: 'API key made',
  patchApiKey: 'API key changed',
  rotateApiKey: 'API key got a new secret',
  deleteApiKey: 'API key deleted',
  requestDeletion: 'Deletion asked for',
  cancelDeletion: 'Deletion called off',
  accountDeleted: 'Account deleted after days of grace',
  personDeleted: 'User deleted as they asked',
  downloadPersonalData: 'Own data downloaded',
  acceptAgreement: 'Subscription agreement accepted',
  patchSupportAccess: 'Support access changed',
  postSupportToken: 'Support came into the account',
  deleteSupportSession: 'Support was sent out of the account',
  deleteSupportSessions: 'Support was sent out of the account',
  auditExport: 'Audit log exported',
  addReport: 'Report made',
  addReportSchedule: 'Schedule of a report added',
  deleteReportSchedule: 'Schedule of a report ended',
  addAccount: 'Account made by the dealer',
  patchResellerAccount: 'Account changed by the dealer',
  moveAccount: 'Account moved to another dealer',
  patchAccountStatus: 'Public demonstration opened or closed',
  patchAccountUser: 'User changed by the dealer',
  patchSubscription: 'Subscription changed by the dealer',
  subscriptionProlonged: 'Subscription prolonged',
  subscriptionChanged: 'Subscription changed as chosen',
  subscriptionEnded: 'Subscription ended',
  putSubscriptionPackage: 'Subscription changed by the dealer',
}

export const actionWords = (action: string): Text | undefined => words[action]

export const groupWords: Readonly<Record<AuditGroup, Text>> = {
  signIn: 'Signing in',
  video: 'Video',
  cameras: 'Cameras',
  zones: 'Zones',
  users: 'Users',
  account: 'Account',
  support: 'Support',
  apiKeys: 'API keys',
  auditLog: 'Audit log',
  dealer: 'Dealer',
  other: 'Other',
}

interface KnownAction {
  readonly action: string
  readonly group: AuditGroup
}

/** One thing to tick: several actions may be the same to a person. */
export interface ActionChoice {
  readonly text: Text
  readonly group: AuditGroup
  readonly actions: readonly string[]
}

/** The actions that the log of an account may hold, in the order of `order`; what has no words is left to the search. */
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
