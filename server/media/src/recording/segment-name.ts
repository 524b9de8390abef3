/**
 * The path of footage: `<store>/<accountId>/<cameraId>/<stream>/<yyyy-mm-dd>/<hh>/<start>-<fence>-<segmentId>.seg`,
 * times in UTC.
 */
import { join, sep } from 'node:path'
import type { StreamKey } from './run-log.ts'
import type { Id128 } from './segment-layout.ts'

export const MANIFEST = 'manifest.jsonl'
export const DAMAGED = '.damaged'
export const HOUR_MS = 3_600_000

export interface SegmentName {
  /** Milliseconds since 1970. */
  readonly start: number
  readonly fence: number
  readonly segmentId: Id128
}

/** Footage of which hour, as a number that can be compared: hours since 1970. */
export type Hour = number

export const toHour = (time: number): Hour => Math.floor(time / HOUR_MS)

export function streamFolder(store: string, { accountId, cameraId, stream }: StreamKey): string {
  return join(store, String(accountId), String(cameraId), stream)
}

/** Of its folder: `2026-03-01/10`. */
export function hourText(hour: Hour): string {
  const text = new Date(hour * HOUR_MS).toISOString()
  return `${text.slice(0, 10)}/${text.slice(11, 13)}`
}

export const hourFolder = (stream: string, hour: Hour): string => join(stream, hourText(hour))

export const fileName = ({ start, fence, segmentId }: SegmentName): string => `${start}-${fence}-${segmentId}.seg`

const NAME = /^(\d{1,16})-(\d{1,16})-([0-9a-f]{32})\.seg$/

export function parseFileName(file: string): SegmentName | undefined {
  const [, start, fence, segmentId] = NAME.exec(file) ?? []
  return segmentId === undefined ? undefined : { start: Number(start), fence: Number(fence), segmentId }
}

export const segmentPath = (stream: string, name: SegmentName): string =>
  join(hourFolder(stream, toHour(name.start)), fileName(name))

const DAY = /^\d{4}-\d{2}-\d{2}$/
const HOUR = /^\d{2}$/

export const isDayFolder = (name: string): boolean => DAY.test(name)

/** Undefined for folders that aren't ours. */
export function parseHour(day: string, hour: string): Hour | undefined {
  if (!DAY.test(day) || !HOUR.test(hour)) return undefined
  const time = Date.parse(`${day}T${hour}:00:00Z`)
  return Number.isNaN(time) ? undefined : toHour(time)
}

/** What a segment's path says; undefined if it isn't one. */
export function parsePath(
  path: string,
): { readonly stream: string; readonly hour: Hour; readonly name: SegmentName } | undefined {
  const [file = '', hour = '', day = '', ...above] = path.split(sep).toReversed()
  const [at, name] = [parseHour(day, hour), parseFileName(file)]
  return at === undefined || name === undefined ? undefined : { stream: above.toReversed().join(sep), hour: at, name }
}
