import { type ClipPlan, OpenSegment } from '../clips/index.ts'
import { fragment, placeFragment, readFragment } from '../mux/index.ts'
import type { FootageAccess } from '../playback/index.ts'

/** Later sound than this begins late. */
const LATE_TICKS = 90_000
/** Rounded times don't cut it off. */
const AFTER_TICKS = 900
/** The encoder opens with its first 1024 samples: of 8 kHz, 128 ms. */
const PRIMER_TICKS = 0.4 * 90_000
/** Of the last packet; the others last until the next. */
const PACKET_TICKS = 1800

type Primed = Pick<ClipPlan, 'pieces' | 'shown' | 'namesFormats'>

/** The number of the first piece with sound that is heard; undefined if it comes early or never. */
function lateSound({ pieces, shown }: Primed): number | undefined {
  const heard = pieces.findIndex(
    ({ part, shift, tracks }) =>
      part.time + shift + part.duration > shown.from && tracks.some((placed) => placed?.isSound === true),
  )
  const first = pieces[heard]
  return first !== undefined && first.part.time + first.shift > shown.from + LATE_TICKS ? heard : undefined
}

export const isSoundLate = (plan: Primed): boolean => lateSound(plan) !== undefined

export interface SoundPrimer {
  /** Where in the clip it comes. */
  readonly offset: number
  readonly chunks: readonly Uint8Array[]
}

/**
 * Some sound for the beginning of what is shown. Without it, the encoder would keep all pictures until the first sound comes, hours
 * later perhaps. It is the beginning of the sound that comes, and is made silent when it is encoded. Undefined if none is needed.
 */
export async function soundPrimer(plan: ClipPlan, access: FootageAccess): Promise<SoundPrimer | undefined> {
  const { pieces, shown, head } = plan
  const late = lateSound(plan)
  const piece = late === undefined ? undefined : pieces[late]
  if (piece === undefined) return undefined
  await using segments = new OpenSegment(access)
  const segment = await segments.find(piece.path)
  const { tracks } = segment.head
  const sound = piece.tracks.findIndex((placed) => placed?.isSound === true)
  const payload = await segment.readPart(piece.part).catch(() => undefined)
  if (payload === undefined) return undefined
  const read = [...readFragment(payload, tracks, { origin: 0, wallClockAtZero: 0 })]
  const [first, ...others] = read.filter(({ track }) => track === sound).map(({ unit }) => unit)
  if (first === undefined) return undefined
  const units = [first, ...others.filter(({ time }) => time - first.time < PRIMER_TICKS)]
  const at = Math.max(
    0,
    pieces.findLastIndex((one) => one.part.time + one.shift <= shown.from),
  )
  const offset = pieces.slice(0, at).reduce((sum, { bytes, addedBytes }) => sum + bytes + addedBytes, head.length)
  const samples = units.map((unit, index) => ({
    track: sound,
    unit: { ...unit, time: shown.from + AFTER_TICKS + unit.time - first.time },
    duration: (units[index + 1]?.time ?? unit.time + PACKET_TICKS) - unit.time,
  }))
  const whole = Buffer.concat(fragment({ sequence: 1, tracks, samples }))
  const trackOf = (track: number) => piece.tracks[track]
  const chunks = placeFragment(
    whole,
    { sequence: 1, shift: 0, soundFrom: 0, trackOf, leftOut: 'hidden' },
    plan.namesFormats,
  )
  return { offset, chunks }
}
