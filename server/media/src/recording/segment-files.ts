/** The files in the folders of one stream. A missing folder counts as empty. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { BUCKET_LIST, readBucketList } from './bucket-list.ts'
import { type Hour, hourFolder, isDayFolder, parseFileName, parseHour, type SegmentName } from './segment-name.ts'

export async function listEntries(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new Error(`could not list recordings in ${folder}`, { cause })
  }
}

/** The hours of a day folder, oldest first. */
export async function hoursOfDay(stream: string, day: string): Promise<readonly Hour[]> {
  const names = await listEntries(join(stream, day))
  return names
    .map((name) => parseHour(day, name))
    .filter((hour) => hour !== undefined)
    .sort((a, b) => a - b)
}

/** Days that have a folder, oldest first, as `2026-03-01`. */
export async function listDays(stream: string): Promise<readonly string[]> {
  return (await listEntries(stream)).filter(isDayFolder).sort()
}

const dayOf = (hour: Hour): string => new Date(hour * 3_600_000).toISOString().slice(0, 10)

/** Hours that have a folder, oldest first, from `from` on. Reads one folder a day. */
export async function* listHours(stream: string, from: Hour): AsyncGenerator<Hour> {
  const firstDay = dayOf(Math.max(from, 0))
  for (const day of await listDays(stream)) {
    if (day < firstDay) continue
    for (const hour of await hoursOfDay(stream, day)) if (hour >= from) yield hour
  }
}

/** Hours that have a folder, newest first, from `from` back. */
export async function* hoursBack(stream: string, from = Number.POSITIVE_INFINITY): AsyncGenerator<Hour> {
  for (const day of (await listDays(stream)).toReversed()) {
    for (const hour of (await hoursOfDay(stream, day)).toReversed()) if (hour <= from) yield hour
  }
}

/** By start; of two that start together the one of the older writer first. */
const inOrder = (a: SegmentName, b: SegmentName): number => a.start - b.start || a.fence - b.fence

const namesIn = (files: readonly string[]): readonly SegmentName[] =>
  files.map(parseFileName).filter((name) => name !== undefined)

/** The segments of an hour that are on the disk, in order. */
export async function listOnDisk(stream: string, hour: Hour): Promise<readonly SegmentName[]> {
  return namesIn(await listEntries(hourFolder(stream, hour))).toSorted(inOrder)
}

/** The segments of an hour in order, on the disk or in S3. */
export async function listSegments(stream: string, hour: Hour): Promise<readonly SegmentName[]> {
  const files = await listEntries(hourFolder(stream, hour))
  const names = new Map(namesIn(files).map((name) => [name.segmentId, name]))
  if (files.includes(BUCKET_LIST)) {
    for (const [id, { name }] of await readBucketList(stream, hour)) names.set(id, name)
  }
  return [...names.values()].sort(inOrder)
}
