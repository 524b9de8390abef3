import * as z from 'zod/mini'
import { cameraStatus } from '../cameras/index.ts'
import { footageExport } from '../exports/index.ts'
import { id } from '../wire/index.ts'

/** What `events/stream` tells the states of, besides events. */
export const followedStates = ['cameras', 'exports'] as const
export type FollowedState = (typeof followedStates)[number]

export const stateListText = z.pipe(
  z.string().check(z.regex(/^(cameras|exports)(,(cameras|exports))?$/)),
  z.transform((text) => followedStates.filter((state) => text.split(',').includes(state))),
)

/** The `event:` of the messages that have states; those of events have none. */
export const STATES_MESSAGE = 'states'

/**
 * One message about states. A stream begins with a complete one, also when it continues, so nothing has to be kept for
 * a client that was away; then come changes.
 */
export const stateChanges = z.object({
  /** These are all: what isn't here is gone. */
  complete: z.boolean(),
  /** As in the list of statuses. Without states of cameras: empty. */
  cameras: z.array(cameraStatus),
  /** Cameras that were removed, or that the caller can't access any more. */
  goneCameraIds: z.array(id),
  /** As in the list of exports. */
  exports: z.array(footageExport),
  goneExportIds: z.array(id),
})
export type StateChanges = z.infer<typeof stateChanges>
