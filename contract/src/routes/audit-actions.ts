// Every action that an audit log can contain. Apps label them; a test compares the labels with this list.

import type { AuditGroup } from '../audit-logs/index.ts'
import type { Route } from '../wire/index.ts'
import { allRoutes } from './index.ts'

/** Actions that aren't routes: signing in, watching, and the server's own. */
const otherActions: Readonly<Record<string, AuditGroup>> = {
  login: 'signIn',
  loginFailed: 'signIn',
  visit: 'signIn',
  logout: 'signIn',
  tokenRevoked: 'signIn',
  passwordChanged: 'signIn',
  passwordReset: 'signIn',
  mfaEnabled: 'signIn',
  mfaDisabled: 'signIn',
  mfaReset: 'signIn',
  recoveryCodeUsed: 'signIn',
  recoveryCodesRenewed: 'signIn',
  lockedDown: 'signIn',
  apiKeysEnded: 'apiKeys',
  passkeyAdded: 'signIn',
  passkeyRenamed: 'signIn',
  passkeyRemoved: 'signIn',
  passkeyRefused: 'signIn',
  passkeysAskedFor: 'signIn',
  passkeysNotAskedFor: 'signIn',
  invitationAccepted: 'signIn',
  clientAllowed: 'signIn',
  clientWithdrawn: 'signIn',
  emailChangeConfirmed: 'users',
  emailChangeRefused: 'users',
  emailChangedByOperator: 'users',
  live: 'video',
  play: 'video',
  watched: 'video',
  snapshot: 'video',
  eventPicture: 'video',
  recordedPicture: 'video',
  auditExport: 'auditLog',
  cameraNetworksChanged: 'cameras',
  cameraTransferAccepted: 'cameras',
  cameraTransferDeclined: 'cameras',
  firstPersonCreated: 'users',
  subscriptionProlonged: 'account',
  subscriptionChanged: 'account',
  subscriptionEnded: 'account',
  addReportSchedule: 'other',
  accountDeleted: 'account',
  personDeleted: 'users',
}

/** Calls of the signed-in user whose entries contain the result. */
const namedOtherwise: ReadonlySet<string> = new Set([
  'deleteCurrentToken',
  'deleteToken',
  'deleteSession',
  'postLockdown',
  'patchCredentials',
  'patchMfa',
  'confirmByPasskey',
  'beginPasskey',
  'postPasskey',
  'patchPasskeys',
  'patchPasskey',
  'deletePasskey',
  'renewRecoveryCodes',
  'deleteConnectedApp',
  // What a camera reports many times a minute.
  'postBodyCameraPositions',
])

const isRecorded = ({ method, name, changesNothing }: Route): boolean =>
  method !== 'GET' && changesNothing !== true && !namedOtherwise.has(name)

/** The category of a path; the first match counts. */
const groupsOfPaths: readonly (readonly [RegExp, AuditGroup])[] = [
  [/\/tokens$|^users\/self\/status|support/i, 'support'],
  [/^apiKeys|\/apiKeys/, 'apiKeys'],
  [/\/subscriptions/, 'account'],
  [/^(resellers|distributors|provider)/, 'dealer'],
  [/\/(streams|recordings|exports|snapshot)/, 'video'],
  [/^share/, 'video'],
  [/^(cameras|cameraGroups|sequences|layouts|bodyCameras|devices|events)/, 'cameras'],
  [/^zones/, 'zones'],
  [/^(users|permissionProfiles)/, 'users'],
  [/^accounts/, 'account'],
  [/^auditLogs/, 'auditLog'],
]

const groupOfRoute = ({ path }: Route): AuditGroup =>
  groupsOfPaths.find(([pattern]) => pattern.test(path))?.[1] ?? 'other'

const groups: ReadonlyMap<string, AuditGroup> = new Map([
  ...Object.entries(otherActions),
  ...allRoutes.filter(isRecorded).map((route): [string, AuditGroup] => [route.name, groupOfRoute(route)]),
])

/** Entries outlive the code that wrote them, so some actions are no longer known. */
export const getActionGroup = (action: string): AuditGroup => groups.get(action) ?? 'other'

export const knownActions = [...groups].map(([action, group]) => ({ action, group }))
