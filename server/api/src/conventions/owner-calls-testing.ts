import { sharedLayoutCalls } from './saved-view-calls-testing.ts'
import { type Requests, span } from './writing-calls-testing-store.ts'

/** Calls that only the owner can make. */
export const byOwners: Requests = {
  deleteExport: ({ exportId }) => [`DELETE exports/${exportId}`],
  addExportLink: ({ exportId }) => [`POST exports/${exportId}/links`],
  deleteShare: ({ shareId }) => [`DELETE shares/${shareId}`],
  openAccountShare: ({ shareSecret }) => ['POST sharedFootage/account', { secret: shareSecret }],
  ...sharedLayoutCalls,
  cancelDeletion: () => ['DELETE users/self/deletion'],
  addPermissionProfile: () => ['POST permissionProfiles', { name: 'Night', rights: {} }],
  patchPermissionProfile: ({ profileId }) => [`PATCH permissionProfiles/${profileId}`, { name: 'Night' }],
  deletePermissionProfile: ({ profileId }) => [`DELETE permissionProfiles/${profileId}`],
  addReport: () => ['POST reports', { type: 'storageUsage', ...span }],
  deleteReportSchedule: ({ reportScheduleId }) => [`DELETE reportSchedules/${reportScheduleId}`],
  deletePushDevice: ({ pushDeviceId }) => [`DELETE users/self/pushDevices/${pushDeviceId}`],
  patchSupportAccess: () => ['PATCH users/self/status', { allowsHelpdeskShowVideo: true }],
  patchAccountDetails: () => ['PATCH accounts/self/details', { city: 'Delft' }],
  postCameraTransfer: ({ transfers }) => [
    'POST cameras/transfer',
    { cameraIds: [transfers.cameraId], email: 'nobody@else.example' },
  ],
  acceptCameraTransfer: ({ transfers, account }) => [
    `POST cameraTransfers/${transfers.got}/accept`,
    { zoneId: account.zoneId },
  ],
  declineCameraTransfer: ({ transfers }) => [`POST cameraTransfers/${transfers.got}/decline`],
  withdrawCameraTransfer: ({ transfers }) => [`DELETE cameraTransfers/${transfers.made}`],
}
