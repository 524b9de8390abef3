import * as accountDeletion from '../account-deletion/index.ts'
import * as accounts from '../accounts/index.ts'
import * as agreements from '../agreements/index.ts'
import * as apiKeys from '../api-keys/index.ts'
import * as auditLogs from '../audit-logs/index.ts'
import * as bodyCameras from '../body-cameras/index.ts'
import * as brandHosts from '../brand-hosts/index.ts'
import * as cameraAdditions from '../camera-additions/index.ts'
import * as cameraAudio from '../camera-audio/index.ts'
import * as cameraCapabilities from '../camera-capabilities/index.ts'
import * as cameraCheckUps from '../camera-check-ups/index.ts'
import * as cameraClock from '../camera-clock/index.ts'
import * as cameraConnection from '../camera-connection/index.ts'
import * as cameraDiscovery from '../camera-discovery/index.ts'
import * as cameraFocus from '../camera-focus/index.ts'
import * as cameraIo from '../camera-io/index.ts'
import * as cameraLocation from '../camera-location/index.ts'
import * as cameraLogs from '../camera-logs/index.ts'
import * as cameraMaintenance from '../camera-maintenance/index.ts'
import * as cameraModes from '../camera-modes/index.ts'
import * as cameraNetwork from '../camera-network/index.ts'
import * as cameraPtz from '../camera-ptz/index.ts'
import * as cameraReplacements from '../camera-replacements/index.ts'
import * as cameraSettings from '../camera-settings/index.ts'
import * as cameraStatistics from '../camera-statistics/index.ts'
import * as cameraTransfers from '../camera-transfers/index.ts'
import * as cameraUsers from '../camera-users/index.ts'
import * as cameraWarnings from '../camera-warnings/index.ts'
import * as cameraWifi from '../camera-wifi/index.ts'
import * as cameras from '../cameras/index.ts'
import * as cloudSync from '../cloud-sync/index.ts'
import * as connectedApps from '../connected-apps/index.ts'
import * as credentials from '../credentials/index.ts'
import * as detectors from '../detectors/index.ts'
import * as deviceChannels from '../device-channels/index.ts'
import * as deviceJobs from '../device-jobs/index.ts'
import * as deviceLogs from '../device-logs/index.ts'
import * as deviceUsers from '../device-users/index.ts'
import * as devices from '../devices/index.ts'
import * as distributors from '../distributors/index.ts'
import * as edgeStorage from '../edge-storage/index.ts'
import * as events from '../events/index.ts'
import * as explanations from '../explanations/index.ts'
import * as footageExports from '../exports/index.ts'
import * as firmware from '../firmware/index.ts'
import * as firmwareImages from '../firmware-images/index.ts'
import * as footageRanges from '../footage-ranges/index.ts'
import * as footageSummary from '../footage-summary/index.ts'
import * as insights from '../insights/index.ts'
import * as jobs from '../jobs/index.ts'
import * as lockdown from '../lockdown/index.ts'
import * as mfa from '../mfa/index.ts'
import * as mobileNetworks from '../mobile-networks/index.ts'
import * as mobileSubscriptions from '../mobile-subscriptions/index.ts'
import * as notificationSettings from '../notification-settings/index.ts'
import * as openapi from '../openapi/index.ts'
import * as passkeys from '../passkeys/index.ts'
import * as permissionProfiles from '../permission-profiles/index.ts'
import * as personalData from '../personal-data/index.ts'
import * as preferences from '../preferences/index.ts'
import * as pushDevices from '../push-devices/index.ts'
import * as pushPictures from '../push-pictures/index.ts'
import * as recordingList from '../recording-list/index.ts'
import * as recordings from '../recordings/index.ts'
import * as recoveryCodes from '../recovery-codes/index.ts'
import * as referenceLists from '../reference-lists/index.ts'
import * as reports from '../reports/index.ts'
import * as resellerAccounts from '../reseller-accounts/index.ts'
import * as resellers from '../resellers/index.ts'
import * as savedViews from '../saved-views/index.ts'
import * as schedules from '../schedules/index.ts'
import * as sessions from '../sessions/index.ts'
import * as sharing from '../shares/index.ts'
import * as signIns from '../sign-in-history/index.ts'
import * as staff from '../staff/index.ts'
import * as storageUsage from '../storage-usage/index.ts'
import * as streams from '../streams/index.ts'
import * as subUsers from '../sub-users/index.ts'
import * as subscriptions from '../subscriptions/index.ts'
import * as supportAccess from '../support-access/index.ts'
import * as supportSessions from '../support-sessions/index.ts'
import * as tokens from '../tokens/index.ts'
import * as userDetails from '../user-details/index.ts'
import * as users from '../users/index.ts'
import type { Route } from '../wire/index.ts'
import * as zones from '../zones/index.ts'

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value

const features: readonly Readonly<Record<string, unknown>>[] = [
  accountDeletion,
  accounts,
  agreements,
  apiKeys,
  auditLogs,
  bodyCameras,
  brandHosts,
  cameraConnection,
  cameraLocation,
  cameraLogs,
  cameraAudio,
  cameraCheckUps,
  cameraClock,
  cameraCapabilities,
  cameraReplacements,
  cameraTransfers,
  cameraFocus,
  cameraIo,
  cameraSettings,
  cameraMaintenance,
  cameraModes,
  cameraStatistics,
  cameraWarnings,
  cameraUsers,
  cameraWifi,
  cameraNetwork,
  cameraPtz,
  cameras,
  cameraAdditions,
  cameraDiscovery,
  connectedApps,
  credentials,
  devices,
  deviceChannels,
  deviceJobs,
  deviceLogs,
  deviceUsers,
  distributors,
  footageRanges,
  footageSummary,
  firmware,
  firmwareImages,
  cloudSync,
  edgeStorage,
  insights,
  events,
  explanations,
  footageExports,
  jobs,
  lockdown,
  mfa,
  mobileNetworks,
  mobileSubscriptions,
  notificationSettings,
  openapi,
  passkeys,
  permissionProfiles,
  savedViews,
  preferences,
  personalData,
  pushDevices,
  pushPictures,
  recordingList,
  recordings,
  recoveryCodes,
  referenceLists,
  reports,
  resellerAccounts,
  resellers,
  detectors,
  schedules,
  sharing,
  sessions,
  signIns,
  staff,
  storageUsage,
  streams,
  subscriptions,
  supportAccess,
  subUsers,
  supportSessions,
  tokens,
  userDetails,
  users,
  zones,
]

/** All calls of the REST API of both planes. A test compares the servers' routers with this list. */
export const allRoutes: readonly Route[] = features.flatMap((feature) => Object.values(feature)).filter(isRoute)

const isSchema = (value: unknown): value is Route['reply'] =>
  typeof value === 'object' && value !== null && '_zod' in value

/** The name in generated clients of a schema whose name in the code is different. Such a name never changes. */
const wireNames: Readonly<Record<string, string>> = {
  accessContext: 'OwnStanding',
  accountInput: 'AccountGiven',
  agreementAcceptance: 'AgreementAccepted',
  cameraLogEntry: 'CameraLogLine',
  identityProof: 'PersonProof',
  managedUser: 'Person',
  managedUserPatch: 'PersonPatch',
  mfaChangeReply: 'MfaChanged',
  newDistributor: 'DistributorGiven',
  newPackage: 'PackageGiven',
  newProfile: 'ProfileAdded',
  newPushDevice: 'PushDeviceGiven',
  newReseller: 'ResellerGiven',
  newStaffUser: 'StaffGiven',
  newUser: 'PersonAdded',
  passkeyRegistration: 'PasskeyCreated',
  passkeysChangeReply: 'PasskeysChanged',
  reportInput: 'ReportGiven',
  reportRecurrence: 'ReportRhythm',
  sessionLocation: 'Place',
  userAccess: 'PersonAccess',
  userGuard: 'PersonGuard',
}

const toWireName = (name: string): string => wireNames[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`

/**
 * Schemas of the API by their name in generated clients: the name of their export with a capital letter, or an older
 * one.
 */
export const namedSchemas: ReadonlyMap<string, Route['reply']> = new Map(
  features.flatMap((feature) =>
    Object.entries(feature).flatMap(([name, value]) => (isSchema(value) ? [[toWireName(name), value] as const] : [])),
  ),
)
