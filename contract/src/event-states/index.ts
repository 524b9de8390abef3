import * as z from 'zod/mini'
import { cameraStatus } from '../cameras/index.ts'
import { deviceJob } from '../device-jobs/index.ts'
import { device, deviceStatus } from '../devices/index.ts'
import { footageExport } from '../exports/index.ts'
import { footageShare } from '../shares/index.ts'
import { supportSession } from '../support-sessions/index.ts'
import { id } from '../wire/index.ts'

/** What `events/stream` tells the states of, besides events. */
export const followedStates = ['cameras', 'exports', 'shares', 'devices', 'jobs', 'supportSessions'] as const
export type FollowedState = (typeof followedStates)[number]

const one = `(${followedStates.join('|')})`

export const stateListText = z.pipe(
  z.string().check(z.regex(new RegExp(`^${one}(,${one}){0,${followedStates.length - 1}}$`))),
  z.transform((text) => followedStates.filter((state) => text.split(',').includes(state))),
)

/** The `event:` of the messages that have states; those of events have none. */
export const STATES_MESSAGE = 'states'

export const followedDevice = z.extend(device, { connection: deviceStatus })
export type FollowedDevice = z.infer<typeof followedDevice>

export const cameraJob = z.extend(deviceJob, { cameraId: id })
export type CameraJob = z.infer<typeof cameraJob>

/**
 * One message about states. A stream begins with a complete one, also when it continues, so nothing has to be kept for
 * a client that was away; then come changes. Lists of states that weren't asked for are empty.
 */
export const stateChanges = z.object({
  /** These are all: what isn't here is gone. */
  complete: z.boolean(),
  /** As in the list of statuses. */
  cameras: z.array(cameraStatus),
  /** Cameras that were removed, or that the caller can't access any more. */
  goneCameraIds: z.array(id),
  /** As in the list of exports. */
  exports: z.array(footageExport),
  goneExportIds: z.array(id),
  /** As in the list of shares. */
  shares: z.array(footageShare),
  goneShareIds: z.array(id),
  /** As in the list of recorders, each with its status. */
  devices: z.array(followedDevice),
  goneDeviceIds: z.array(id),
  /** Jobs of cameras that wait or run, or ended within the last ten minutes. Those of recorders come with the recorder. */
  jobs: z.array(cameraJob),
  goneJobIds: z.array(id),
  /** Support staff in the account, for its owner. */
  supportSessions: z.array(supportSession),
  goneTokenIds: z.array(id),
})
export type StateChanges = z.infer<typeof stateChanges>
