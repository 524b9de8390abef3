import type { AuditGroup } from '@sightline/contract/audit-logs'
import type { LogKind, RecordedAction } from './audit-source.ts'
import type { Text } from './text.ts'

/** Labels of the actions that the log of an account can contain. */
const accountLabels: Readonly<Record<string, Text>> = {
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
  watched: 'Finished watching recordings',
  snapshot: 'Snapshot viewed',
  eventPicture: 'Event picture viewed',
  recordedPicture: 'Recorded picture viewed',
  addRecordingLock: 'Footage locked',
  deleteRecordingLock: 'Footage unlocked',
  deleteRecordings: 'Footage deleted',
  addExport: 'Footage exported',
  addShare: 'Footage shared',
  deleteShare: 'Shared link ended',
  openPublicShare: 'Shared link opened',
  openAccountShare: 'Shared link opened',
  deleteExport: 'Export deleted',
  patchCameraWarning: 'Camera warning dismissed or shown again',
  putCameraMaintenance: 'Camera maintenance changed',
  patchEvent: 'Event changed',
  postCameraEvent: 'Event added',
  setCameraClock: 'Camera clock set',
  refreshCameraCapabilities: 'Camera asked what it can do',
  checkCamera: 'Camera checked',
  patchCameraWifi: 'Wi-Fi of camera switched',
  putWifiNetwork: 'Camera connected to Wi-Fi',
  deleteWifiNetwork: 'Wi-Fi network of camera forgotten',
  putMobileNetwork: 'Mobile network of camera changed',
  patchCameraNetwork: 'Network settings of camera changed',
  formatEdgeStorage: 'Storage card of camera formatted',
  patchCloudSync: 'Cloud sync of camera changed',
  postCameraReplacement: 'Camera replaced or new device tried',
  postCameraTransfer: 'Cameras moved or offered to another account',
  acceptCameraTransfer: 'Offered cameras accepted',
  declineCameraTransfer: 'Offered cameras declined',
  withdrawCameraTransfer: 'Offer of cameras withdrawn',
  cameraTransferAccepted: 'Cameras transferred to another account',
  cameraTransferDeclined: 'Offer of cameras declined by the other account',
  undoCameraReplacement: 'Replacement of camera undone',
  patchAudioSettings: 'Sound settings of camera changed',
  patchVideoSettings: 'Video settings of camera changed',
  sendCameraAudio: 'Talked through camera',
  moveCamera: 'Camera moved',
  moveFocus: 'Camera focused',
  patchCameraPort: 'Camera output switched or renamed',
  postPtzPreset: 'Camera preset saved',
  deletePtzPreset: 'Camera preset deleted',
  patchCameraMode: 'Camera mode changed',
  patchZoneMode: 'Zone mode changed',
  putCameraSchedule: 'Camera schedule changed',
  deleteCameraSchedule: 'Camera schedule deleted',
  patchVideoDetector: 'Motion detection changed',
  patchAudioDetector: 'Sound detection changed',
  patchPirDetector: 'PIR detection changed',
  putDetectionAreas: 'Detection areas changed',
  putZoneSchedule: 'Zone schedule changed',
  patchNotificationSetting: 'Notification settings changed',
  patchPreferences: 'Preferences changed',
  putPushDevice: 'Push device added',
  deletePushDevice: 'Push device removed',
  testPushDevice: 'Test notification sent',
  postCamera: 'Camera added',
  postCameras: 'Cameras added',
  cameraNetworksChanged: 'Camera networks changed',
  startCameraDiscovery: 'Search for cameras started',
  retryCameraAddition: 'Camera addition retried',
  dismissCameraAddition: 'Camera that could not be added removed',
  patchCamera: 'Camera changed',
  patchCameraConnection: 'Address of camera changed',
  patchCameraCredentials: 'Sign-in of camera changed',
  setCameraPassword: 'Camera password changed',
  postCameraUser: 'User of camera added',
  patchCameraUser: 'User of camera changed',
  deleteCameraUser: 'User of camera removed',
  patchCameraLocation: 'Location of camera changed',
  deleteCamera: 'Camera removed',
  postDevice: 'Device added',
  patchDevice: 'Device changed',
  patchDeviceCredentials: 'Device sign-in changed',
  postDeviceUser: 'User of recorder added',
  patchDeviceUser: 'User of recorder changed',
  deleteDeviceUser: 'User of recorder removed',
  deleteDevice: 'Device removed',
  postChannelCamera: 'Camera added from device',
  rebootDevice: 'Device restarted',
  rebootCamera: 'Camera restarted',
  addFirmwareImage: 'Firmware upload started',
  putFirmwarePart: 'Firmware uploaded',
  deleteFirmwareImage: 'Firmware removed',
  upgradeCameraFirmware: 'Camera firmware upgrade started',
  upgradeCamerasFirmware: 'Camera firmware upgrade started',
  upgradeDeviceFirmware: 'Device firmware upgrade started',
  deleteCameraJob: 'Camera job canceled',
  deleteDeviceJob: 'Device job canceled',
  postCameraGroup: 'Camera group added',
  patchCameraGroup: 'Camera group changed',
  deleteCameraGroup: 'Camera group deleted',
  postSequence: 'Sequence added',
  patchSequence: 'Sequence changed',
  deleteSequence: 'Sequence deleted',
  postLayout: 'Layout added',
  patchLayout: 'Layout changed',
  deleteLayout: 'Layout deleted',
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
  export: 'Footage downloaded',
  addReport: 'Report created',
  addReportSchedule: 'Report schedule added',
  deleteReportSchedule: 'Report schedule deleted',
  addAccount: 'Account created by provider',
  patchResellerAccount: 'Account changed by provider',
  moveAccount: 'Account moved to another provider',
  deleteResellerAccount: 'Account deleted by provider',
  putZohoId: 'Zoho ID changed',
  postSetupCode: 'Set-up code for a body-worn camera created',
  registerBodyCamera: 'Body-worn camera added',
  addMobileSubscription: 'Mobile subscription added',
  patchMobileSubscription: 'Mobile subscription changed',
  deleteMobileSubscription: 'Mobile subscription removed',
  patchAccountStatus: 'Public demo turned on or off',
  patchAccountUser: 'User changed by provider',
  patchSubscription: 'Subscription changed by provider',
  subscriptionProlonged: 'Subscription renewed',
  subscriptionChanged: 'Scheduled subscription change applied',
  subscriptionEnded: 'Subscription ended',
  putSubscriptionPackage: 'Subscription changed by provider',
}

/** In the log of a dealer, these have another label, or are only there. */
const dealerLabels: Readonly<Record<string, Text>> = {
  addAccount: 'Account added',
  patchResellerAccount: 'Account changed',
  moveAccount: 'Account moved to another reseller',
  deleteResellerAccount: 'Account deleted',
  patchAccountUser: 'User changed',
  patchSubscription: 'Subscription changed',
  putSubscriptionPackage: 'Package changed',
  addDistributor: 'Distributor added',
  patchDistributor: 'Distributor changed',
  deleteDistributor: 'Distributor deleted',
  addReseller: 'Reseller added',
  patchReseller: 'Reseller changed',
  deleteReseller: 'Reseller deleted',
  patchModules: 'Modules changed',
  patchResellerTheme: 'Brand changed',
  addBrandHost: 'Domain added',
  deleteBrandHost: 'Domain removed',
  addResellerStaff: 'Staff member added',
  addDistributorStaff: 'Staff member added',
  addProviderStaff: 'Staff member added',
  patchResellerStaffUser: 'Staff member changed',
  patchDistributorStaffUser: 'Staff member changed',
  patchProviderStaffUser: 'Staff member changed',
  deleteResellerStaffUser: 'Staff member deleted',
  deleteDistributorStaffUser: 'Staff member deleted',
  deleteProviderStaffUser: 'Staff member deleted',
  postResellerApiKey: 'API key created',
  patchResellerApiKey: 'API key changed',
  rotateResellerApiKey: 'API key secret created',
  deleteResellerApiKey: 'API key deleted',
  addResellerReport: 'Report created',
  retryJob: 'Job retried',
  discardJob: 'Job discarded',
}

/** Undefined only for entries of an older version, whose action no longer exists. */
export function actionLabel(action: string, kind: LogKind): Text | undefined {
  return kind === 'dealer'
    ? (dealerLabels[action] ?? accountLabels[action])
    : (accountLabels[action] ?? dealerLabels[action])
}

const grouped = (group: AuditGroup, ...actions: readonly string[]): readonly RecordedAction[] =>
  actions.map((action) => ({ action, group }))

/** The actions that people look for in a reseller's log, for its filter. The search finds the others. */
export const dealerActions: readonly RecordedAction[] = [
  ...grouped('signIn', 'login', 'loginFailed', 'logout', 'tokenRevoked', 'passwordChanged', 'passwordReset'),
  ...grouped('account', 'addAccount', 'patchResellerAccount', 'moveAccount', 'deleteResellerAccount'),
  ...grouped('account', 'patchAccountUser', 'patchSubscription', 'putZohoId'),
  ...grouped('account', 'addMobileSubscription', 'patchMobileSubscription', 'deleteMobileSubscription'),
  ...grouped('support', 'postSupportToken', 'deleteSupportSession', 'deleteSupportSessions'),
  ...grouped('apiKeys', 'postResellerApiKey', 'patchResellerApiKey', 'rotateResellerApiKey', 'deleteResellerApiKey'),
  ...grouped('dealer', 'patchReseller', 'patchModules', 'patchResellerTheme', 'addBrandHost', 'deleteBrandHost'),
  ...grouped('dealer', 'putSubscriptionPackage', 'addResellerReport'),
  ...grouped('dealer', 'addResellerStaff', 'patchResellerStaffUser', 'deleteResellerStaffUser'),
]

const groupLabels: Readonly<Record<AuditGroup, Text>> = {
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

export function groupLabel(group: AuditGroup, kind: LogKind): Text {
  if (kind === 'account') return groupLabels[group]
  if (group === 'dealer') return 'Organization'
  return group === 'account' ? 'Accounts' : groupLabels[group]
}

/** One option of the filter. Several actions may share a label. */
export interface ActionChoice {
  readonly text: Text
  readonly group: AuditGroup
  readonly actions: readonly string[]
}

interface FilteredActions {
  readonly kind: LogKind
  readonly actions: readonly RecordedAction[]
}

/**
 * The actions that the log can contain, in the order of `order`. An account's filter leaves out what only a dealer's log
 * can contain.
 */
export function actionChoices(
  { kind, actions }: FilteredActions,
  order: readonly AuditGroup[],
): readonly ActionChoice[] {
  const choices = new Map<Text, { text: Text; group: AuditGroup; actions: string[] }>()
  for (const { action, group } of actions) {
    const text = kind === 'account' ? accountLabels[action] : actionLabel(action, kind)
    if (text === undefined) continue
    const choice = choices.get(text)
    if (choice === undefined) choices.set(text, { text, group, actions: [action] })
    else choice.actions.push(action)
  }
  return [...choices.values()].sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group))
}
