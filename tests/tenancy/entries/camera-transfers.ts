/** Cameras that change zones and accounts: api.md §8, security.md §2.15. */
import type { OperationCase } from '../operation.ts'

const transferring = { callers: 'members', owner: true, support: 'no', visitor: 'no' } as const

export const cameraTransfers: Readonly<Record<string, OperationCase>> = {
  getCameraTransfers: { policy: transferring },
  postCameraTransfer: {
    policy: transferring,
    send: ({ ids }) => ({ body: { cameraIds: [ids.camera], zoneId: ids.zone } }),
    foreign: { 'body.cameraIds': 404, 'body.zoneId': 404 },
  },
  acceptCameraTransfer: {
    policy: { ...transferring, apiKey: 'no', active: true },
    send: ({ ids }) => ({ body: { zoneId: ids.zone } }),
    also: { 409: 'the cameras of the offer were removed' },
    foreign: { 'body.zoneId': 404 },
    silent: 'the cameras of the offer were removed',
  },
  declineCameraTransfer: { policy: { ...transferring, apiKey: 'no' } },
  withdrawCameraTransfer: { policy: { ...transferring, apiKey: 'no' } },
}
