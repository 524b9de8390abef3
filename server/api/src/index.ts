import type { ServedRoute } from '@sightline/platform/http'
import { accountDeletion } from './account-deletion/index.ts'
import { accounts } from './accounts/index.ts'
import { agreements } from './agreements/index.ts'
import { type ApiDeps, type ApiSlice, openSlices } from './api-deps.ts'
import { auditLogs } from './audit-logs/index.ts'
import { bodyCameras } from './body-cameras/index.ts'
import { brandHosts } from './brand-hosts/index.ts'
import { cameraAdditions } from './camera-additions/index.ts'
import { cameraAudio } from './camera-audio/index.ts'
import { cameraCapabilities } from './camera-capabilities/index.ts'
import { cameraCheckUps } from './camera-check-ups/index.ts'
import { cameraClock } from './camera-clock/index.ts'
import { cameraConnection } from './camera-connection/index.ts'
import { cameraDiscovery } from './camera-discovery/index.ts'
import { cameraFocus } from './camera-focus/index.ts'
import { cameraIo } from './camera-io/index.ts'
import { cameraLocation } from './camera-location/index.ts'
import { cameraLogs } from './camera-logs/index.ts'
import { cameraMaintenance } from './camera-maintenance/index.ts'
import { cameraModes } from './camera-modes/index.ts'
import { cameraNetwork } from './camera-network/index.ts'
import { cameraPtz } from './camera-ptz/index.ts'
import { cameraReplacements } from './camera-replacements/index.ts'
import { cameraSettings } from './camera-settings/index.ts'
import { cameraStatistics } from './camera-statistics/index.ts'
import { cameraTransfers } from './camera-transfers/index.ts'
import { cameraUsers } from './camera-users/index.ts'
import { cameraWarnings } from './camera-warnings/index.ts'
import { cameraWifi } from './camera-wifi/index.ts'
import { cameras } from './cameras/index.ts'
import { cloudSync } from './cloud-sync/index.ts'
import { detectors } from './detectors/index.ts'
import { deviceChannels } from './device-channels/index.ts'
import { deviceJobs } from './device-jobs/index.ts'
import { deviceLogs } from './device-logs/index.ts'
import { deviceUsers } from './device-users/index.ts'
import { devices } from './devices/index.ts'
import { distributors } from './distributors/index.ts'
import { edgeStorage } from './edge-storage/index.ts'
import { events } from './events/index.ts'
import { explanations } from './explanations/index.ts'
import { footageExports } from './exports/index.ts'
import { firmware } from './firmware/index.ts'
import { firmwareImages } from './firmware-images/index.ts'
import { footageRanges } from './footage-ranges/index.ts'
import { footageSummary } from './footage-summary/index.ts'
import { insights } from './insights/index.ts'
import { jobs } from './jobs/index.ts'
import { mobileNetworks } from './mobile-networks/index.ts'
import { mobileSubscriptions } from './mobile-subscriptions/index.ts'
import { notificationSettings } from './notification-settings/index.ts'
import { openApi } from './openapi/index.ts'
import { permissionProfiles } from './permission-profiles/index.ts'
import { personalData } from './personal-data/index.ts'
import { preferences } from './preferences/index.ts'
import { pushDevices } from './push-devices/index.ts'
import { pushPictures } from './push-pictures/index.ts'
import { recordingList } from './recording-list/index.ts'
import { recordings } from './recordings/index.ts'
import { referenceLists } from './reference-lists/index.ts'
import { reports } from './reports/index.ts'
import { resellerAccounts } from './reseller-accounts/index.ts'
import { resellers } from './resellers/index.ts'
import { savedViews } from './saved-views/index.ts'
import { schedules } from './schedules/index.ts'
import { shares } from './shares/index.ts'
import { staff } from './staff/index.ts'
import { storageUsage } from './storage-usage/index.ts'
import { streams } from './streams/index.ts'
import { subUsers } from './sub-users/index.ts'
import { subscriptions } from './subscriptions/index.ts'
import { supportAccess } from './support-access/index.ts'
import { userDetails } from './user-details/index.ts'
import { users } from './users/index.ts'
import { zones } from './zones/index.ts'

export { deletionTasks, erasureTasks } from './account-deletion/index.ts'
export { bodyCameraTasks } from './body-cameras/index.ts'
export { addCamera } from './camera-additions/add-camera.ts'
export { additionTasks } from './camera-additions/index.ts'
export { cameraPasswordTasks } from './camera-connection/password-tasks.ts'
export { replacementTasks } from './camera-replacements/index.ts'
export { transferTasks } from './camera-transfers/index.ts'
export { type ArtefactFiles, artefactFiles } from './exports/artefact-file.ts'
export { derivedExportTasks, type ExportTaskDeps, exportTasks } from './exports/make-export.ts'
export { exportDownloads } from './exports/serve-download.ts'
export { alertTasks } from './notification-settings/alerts/index.ts'
export { alertWritingTasks, eventAlertTasks } from './notification-settings/event-alerts/index.ts'
export { troubleAlertTasks } from './notification-settings/trouble-alerts/index.ts'
export { type PushDeps, pushQueue, pushTasks } from './push-devices/index.ts'
export { reportTasks } from './reports/index.ts'
export { publicInternet } from './resellers/brand-pictures/index.ts'
export { brandPictureTasks } from './resellers/index.ts'
export { sharedFiles } from './shares/serve-share.ts'
export { subscriptionTasks } from './subscriptions/index.ts'

/** Every slice of the REST API. */
export const apiSlices: readonly ApiSlice[] = [
  users,
  userDetails,
  accounts,
  accountDeletion,
  agreements,
  referenceLists,
  cameras,
  cameraAdditions,
  cameraDiscovery,
  bodyCameras,
  cameraConnection,
  cameraLocation,
  cameraLogs,
  cameraAudio,
  cameraCheckUps,
  cameraClock,
  cameraCapabilities,
  cameraReplacements,
  cameraTransfers,
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
  cameraFocus,
  devices,
  deviceChannels,
  deviceJobs,
  firmware,
  firmwareImages,
  deviceLogs,
  deviceUsers,
  cloudSync,
  edgeStorage,
  schedules,
  shares,
  detectors,
  streams,
  recordings,
  recordingList,
  footageRanges,
  footageSummary,
  footageExports,
  events,
  storageUsage,
  zones,
  savedViews,
  permissionProfiles,
  personalData,
  subUsers,
  explanations,
  auditLogs,
  notificationSettings,
  preferences,
  pushDevices,
  pushPictures,
  supportAccess,
  subscriptions,
  mobileNetworks,
  mobileSubscriptions,
  distributors,
  resellers,
  brandHosts,
  resellerAccounts,
  staff,
  insights,
  reports,
  jobs,
  () => openApi,
]

export const apiRoutes = (given: Omit<ApiDeps, 'deviceDb'>): readonly ServedRoute[] => openSlices(apiSlices, given)
