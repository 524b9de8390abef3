import type { ReactNode } from 'react'
import type { Marks } from './timeline/draw.ts'
import type { Span } from './timeline/span.ts'

export type { Marks }

/** The footage of one camera. */
export interface TimelineRow {
  readonly cameraId: number
  /** Of the camera; undefined if there is only one. */
  readonly name?: string
}

export interface TimelineProps {
  /** Shown at first, and when another one is chosen. The timeline goes on beyond it. */
  readonly day: Span
  readonly timeZone: string
  /** One per camera, nine at most. */
  readonly rows: readonly TimelineRow[]
  readonly now: number
  /** The playback position; undefined while live. */
  readonly playhead: number | undefined
  /** Called when the user chooses a time in the past. */
  readonly onPick: (time: number) => void
  /** Called when the timeline was moved to another day, `yyyy-mm-dd`, while a day or less is visible. */
  readonly onDay?: (date: string) => void
  /** Content next to the zoom buttons: the day picker. */
  readonly tools?: ReactNode
  /** The chosen range, for what is done with it. Without `onMarks`, none can be chosen. */
  readonly marks?: Marks
  readonly onMarks?: (marks: Marks) => void
}

export const NO_MARKS: Marks = { from: undefined, till: undefined }

/** The chosen range once both ends are set. */
export const markedSpan = ({ from, till }: Marks): Span | undefined =>
  from === undefined || till === undefined ? undefined : { from, till }

/** Moves the start; an end before it goes. */
export const withStart = ({ till }: Marks, from: number): Marks => ({
  from: toSecond(from),
  till: till === undefined || till <= from ? undefined : till,
})

/** Moves the end; a start after it goes. */
export const withEnd = ({ from }: Marks, till: number): Marks => ({
  from: from === undefined || from >= till ? undefined : from,
  till: toSecond(till),
})

/** People choose whole seconds. */
const toSecond = (time: number): number => Math.round(time / 1000) * 1000
