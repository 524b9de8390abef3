import type { Client } from '@sightline/client'
import { getEvents } from '@sightline/contract/events'
import { getRecordingSums, getRecordingTimelines } from '@sightline/contract/recordings'
import { afterFirstPictures } from '@sightline/player'
import { type Footage, sumsToFootage, type TimelineEvent, toFootage } from './timeline/footage.ts'
import { HOUR, SECOND } from './timeline/span.ts'
import type { TileRequest } from './timeline/tile-cache.ts'

/** The most events of one page, and of one range: more than the pixels of a screen. */
const EVENTS_OF_PAGE = 500
const PAGES = 4

/** Reads tiles of a timeline from the server. */
export const loadFootage =
  (client: Client) =>
  async (request: TileRequest): Promise<ReadonlyMap<number, Footage>> => {
    await afterFirstPictures()
    const load = request.level === 'days' || request.level === 'hours' ? loadSums : loadStretches
    return await load(client, request)
  }

const rangeOf = ({ from, till, cameraIds }: TileRequest) => ({
  from: new Date(from).toISOString(),
  till: new Date(till).toISOString(),
  cameraIds: cameraIds.join(),
})

async function loadSums(client: Client, request: TileRequest): Promise<ReadonlyMap<number, Footage>> {
  const interval = request.level === 'days' ? 'day' : 'hour'
  const query = { ...rangeOf(request), interval } as const
  const reply = await client.call(getRecordingSums, { query }, { signal: request.signal })
  const start = { from: Date.parse(reply.from), intervalMs: reply.intervalSeconds * SECOND }
  return new Map(reply.cameras.map((camera) => [camera.cameraId, sumsToFootage(camera, start)]))
}

async function loadStretches(client: Client, request: TileRequest): Promise<ReadonlyMap<number, Footage>> {
  // Shorter gaps would be narrower than a pixel.
  const resolution = request.level === 'minutes' ? '60' : '1'
  const query = { ...rangeOf(request), resolution }
  const [{ cameras }, events] = await Promise.all([
    client.call(getRecordingTimelines, { query }, { signal: request.signal }),
    loadEvents(client, request),
  ])
  return new Map(cameras.map((camera) => [camera.cameraId, toFootage(camera, events.get(camera.cameraId) ?? [])]))
}

/** The events of a range by camera, by their start. */
async function loadEvents(
  client: Client,
  request: TileRequest,
): Promise<ReadonlyMap<number, readonly TimelineEvent[]>> {
  const { cameraIds, from, till, signal } = request
  // An event in progress since before the range is drawn where it began.
  const query = {
    cameraIds: cameraIds.join(),
    minTimestamp: new Date(from).toISOString(),
    maxTimestamp: new Date(Math.min(till, Date.now() + HOUR)).toISOString(),
  }
  const found = new Map<number, TimelineEvent[]>()
  let pageToken: string | undefined
  for (let page = 0; page < PAGES; page += 1) {
    const { rows, next } = await client.page(getEvents, { query }, { limit: EVENTS_OF_PAGE, pageToken }, { signal })
    for (const { cameraId, eventId, type, timestamp, duration } of rows) {
      if (cameraId === null) continue
      const start = Date.parse(timestamp)
      const list = found.get(cameraId) ?? []
      list.push({ eventId, type, from: start, till: start + duration * SECOND })
      found.set(cameraId, list)
    }
    if (next === undefined) break
    pageToken = next
  }
  for (const list of found.values()) list.sort((one, other) => one.from - other.from)
  return found
}
