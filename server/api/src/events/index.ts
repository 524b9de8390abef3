import type { AuthPlane } from '@sightline/contract/auth-plane'
import type { ApiError } from '@sightline/contract/errors'
import {
  EVENT_DAYS,
  eventGroups,
  eventTypes,
  getEvent,
  getEvents,
  getEventTypes,
  patchEvent,
  postCameraEvent,
  type RecordedEvent,
} from '@sightline/contract/events'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { MS_PER_DAY, MS_PER_HOUR } from '@sightline/platform/clock'
import type { Db, IdSource } from '@sightline/platform/db'
import { addCameraEvent } from '@sightline/platform/events'
import { serve, serveChange, toStorePage } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import { lockCamera } from '../cameras/index.ts'
import { eventPicture } from './event-picture.ts'
import { eventStream } from './event-stream.ts'
import { countEvents, findEvent, loadEventsPage, lockEvent, saveMarks, selectEvents, toEvent } from './store.ts'

export { findAdjacentEvent } from './store.ts'

const noSuchEvent: ApiError = { error: 'notFound' }

const noSuchCamera: ApiError = { error: 'notFound' }
/** Clocks of other systems differ. */
const MAX_AHEAD_MS = MS_PER_HOUR

interface Deps {
  readonly db: Db
  readonly auth: Pick<AuthPlane, 'listSupportSessions'>
  readonly media: Pick<MediaPlane, 'eventAdded' | 'recordedPicture'>
  readonly ids: IdSource
  readonly now: () => number
}

export const events = (deps: Deps) => [...reading(deps), eventPicture(deps), eventStream(deps), ...changing(deps)]

const reading = ({ db }: Deps) => [
  serve(getEvents, async (caller, { query, page }) => {
    if (page.edge !== undefined && !Number.isSafeInteger(page.edge.value)) {
      return fail({ error: 'validation', detail: 'query: pageToken: must come from a Link header of this list' })
    }
    return db.inTenant(caller, async (tx) => {
      const found = await selectEvents(tx, caller, query)
      const rows = await loadEventsPage(tx, found, page)
      const total = page.wantsCount ? await countEvents(tx, found) : undefined
      return ok(toStorePage(rows, page, { item: toEvent, total }))
    })
  }),

  serve(getEvent, async (caller, { params }) => {
    const event = await db.inTenant(caller, (tx) => findEvent(tx, caller, params.eventId))
    return event === undefined ? fail(noSuchEvent) : ok(event)
  }),

  serve(getEventTypes, async () => ok(eventTypes.map((type) => ({ type, group: eventGroups[type] })))),
]

const changing = ({ ids, media, now }: Deps) => [
  serveChange(patchEvent, async (change, { params, body }) => {
    const { caller } = change
    return change.tx(caller, async (tx) => {
      const before = await lockEvent(tx, caller, params.eventId)
      if (before === undefined) return fail(noSuchEvent)
      change.ifMatch(before)
      const { read = before.read, bookmarked = before.bookmarked, note = before.note } = body
      const marks = { read, bookmarked, note }
      await saveMarks(tx, caller.accountId, { eventId: params.eventId, ...marks })
      const target = { kind: 'event', id: params.eventId }
      const was = { read: before.read, bookmarked: before.bookmarked, note: before.note }
      await change.audit({ action: 'patchEvent', target, before: was, after: marks })
      return ok({ ...before, ...marks })
    })
  }),

  serveChange(postCameraEvent, async (change, { params: { cameraId }, body }) => {
    const { caller } = change
    const { name, data = {}, timestamp = now() } = body
    const fault = timeFault(timestamp, now())
    if (fault !== undefined) return fail(fault)
    const once = await ids.next()
    const added = await change.tx(caller, async (tx): Promise<Result<RecordedEvent, ApiError>> => {
      const camera = await lockCamera(tx, caller, cameraId)
      if (camera === undefined) return fail(noSuchCamera)
      const times = { at: timestamp, endsAt: timestamp }
      const given = { camera, type: 'custom', ...times, data: { ...data, name }, once: `custom ${once}` } as const
      const eventId = await addCameraEvent(tx, given)
      if (eventId === undefined) throw new Error(`event ${once} is there already`)
      const target = { kind: 'camera', id: cameraId }
      await change.audit({ action: 'postCameraEvent', target, after: { eventId, name } })
      const event = await findEvent(tx, caller, eventId)
      return event === undefined ? fail(noSuchEvent) : ok(event)
    })
    if (added.ok) media.eventAdded({ cameraId, at: timestamp })
    return added
  }),
]

function timeFault(timestamp: number, now: number): ApiError | undefined {
  if (timestamp > now - EVENT_DAYS * MS_PER_DAY && timestamp <= now + MAX_AHEAD_MS) return undefined
  const message = `must be within the last ${EVENT_DAYS} days and not in the future`
  return { error: 'validation', detail: `timestamp: ${message}`, fields: [{ field: 'timestamp', message }] }
}
