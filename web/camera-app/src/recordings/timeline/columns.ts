import {
  BY_EVENT,
  type Footage,
  findFirstEnding,
  gapClassByReason,
  gapClasses,
  reasons,
  type Stretches,
} from './footage.ts'
import type { Span } from './span.ts'

/** An event begins in the column. */
export const EVENT = 8

/** What each column of device pixels of a row shows. */
export interface Columns {
  /** How much is recorded, 0 to 255. */
  readonly shares: Uint8Array
  /** 1 + the index of the most important class of gaps; 0: none. */
  readonly gaps: Uint8Array
  /** Bits: of footage, and `EVENT`. */
  readonly flags: Uint8Array
}

export const newColumns = (width: number): Columns => ({
  shares: new Uint8Array(width),
  gaps: new Uint8Array(width),
  flags: new Uint8Array(width),
})

export function clearColumns({ shares, gaps, flags }: Columns): void {
  shares.fill(0)
  gaps.fill(0)
  flags.fill(0)
}

const rankOf = new Uint8Array(reasons.map((reason) => 1 + gapClasses.indexOf(gapClassByReason[reason])))

/** Where a span lies on the line, in device pixels. */
export interface Scale extends Span {
  /** Device pixels per millisecond. */
  readonly rate: number
  readonly width: number
  /** The fewest columns of a stretch, so that a short one stays visible. */
  readonly least: number
}

export const toScale = ({ from, till }: Span, width: number, least: number): Scale => ({
  from,
  till,
  rate: width / (till - from),
  width,
  least,
})

/**
 * Adds footage to columns, within `part`. The work grows with the number of stretches, but what is painted afterwards
 * only with the number of columns.
 */
export function addFootage(columns: Columns, footage: Footage, scale: Scale, part: Span): void {
  const within = { from: Math.max(part.from, scale.from), till: Math.min(part.till, scale.till) }
  if (within.till <= within.from) return
  addRecorded(columns, footage.recorded, scale, within)
  addGaps(columns, footage.gaps, scale, within)
  for (const { from, till } of footage.events) {
    if (till < within.from || from >= within.till) continue
    const start = firstColumn(Math.max(from, within.from), scale)
    const end = endColumn(start, till, scale)
    for (let x = start; x < end; x += 1) columns.flags[x] = (columns.flags[x] ?? 0) | EVENT
  }
}

// Two functions and not one with two results: a pair for each of a hundred thousand stretches would be garbage in each frame.
/** The first column of a stretch. */
const firstColumn = (from: number, scale: Scale): number => Math.max(0, Math.floor((from - scale.from) * scale.rate))

/** The column after the last one of a stretch. */
const endColumn = (start: number, till: number, scale: Scale): number =>
  Math.min(scale.width, Math.max(Math.round((till - scale.from) * scale.rate), start + scale.least))

function addRecorded({ shares, flags }: Columns, stretches: Stretches, scale: Scale, within: Span): void {
  const { times, codes, shares: given } = stretches
  for (let index = findFirstEnding(stretches, within.from); index < codes.length; index += 1) {
    const from = times[index * 2] ?? 0
    if (from >= within.till) return
    const start = firstColumn(Math.max(from, within.from), scale)
    const end = endColumn(start, Math.min(times[index * 2 + 1] ?? 0, within.till), scale)
    const share = given[index] ?? 0
    const code = codes[index] ?? 0
    for (let x = start; x < end; x += 1) {
      if ((shares[x] ?? 0) < share) shares[x] = share
      flags[x] = (flags[x] ?? 0) | code
    }
  }
}

/** A fault of a few seconds in a day is a mark; less than this share of an interval of sums is no plan. */
const LEAST_PLANNED = 3

function addGaps(columns: Columns, stretches: Stretches, scale: Scale, within: Span): void {
  const { times, codes, shares } = stretches
  for (let index = findFirstEnding(stretches, within.from); index < codes.length; index += 1) {
    const from = times[index * 2] ?? 0
    if (from >= within.till) return
    const rank = rankOf[codes[index] ?? 0] ?? 0
    if (rank <= 2 && (shares[index] ?? 0) < LEAST_PLANNED) continue
    const start = firstColumn(Math.max(from, within.from), scale)
    const end = endColumn(start, Math.min(times[index * 2 + 1] ?? 0, within.till), scale)
    raise(columns.gaps, rank, start, end)
  }
}

/** Sets columns to a rank where they have a lower one. */
function raise(ranks: Uint8Array, rank: number, start: number, end: number): void {
  for (let x = start; x < end; x += 1) if ((ranks[x] ?? 0) < rank) ranks[x] = rank
}

/** Whether footage of the column was recorded because of an event. */
export const isByEvent = (flags: number): boolean => (flags & BY_EVENT) !== 0
