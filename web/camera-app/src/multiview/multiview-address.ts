import { idText } from '@sightline/contract/wire'

/** The tiles of the largest view. */
export const MAX_TILES = 9

export interface MultiviewSearch {
  /** Camera ids, separated by commas, in the order of the tiles. */
  cameras?: string | undefined
  /** The recorded time; undefined means live. */
  t?: string | undefined
}

/** Both are always present; an omitted parameter would keep its value. */
export function searchOfMultiview(search: Record<string, unknown>): MultiviewSearch {
  const cameras = idsOfText(search.cameras)
  return {
    cameras: cameras.length === 0 ? undefined : cameras.join(),
    t: typeof search.t === 'string' && !Number.isNaN(Date.parse(search.t)) ? search.t : undefined,
  }
}

/** At most nine different ids. A single one comes as a number. */
export function idsOfText(text: unknown): number[] {
  if (typeof text !== 'string' && typeof text !== 'number') return []
  const ids = String(text)
    .split(',')
    .flatMap((one) => idText.safeParse(one).data ?? [])
  return [...new Set(ids)].slice(0, MAX_TILES)
}

/** Moves an item to the place of another; the others move up. */
export function moveTile(ids: readonly number[], id: number, place: number): number[] {
  const others = ids.filter((one) => one !== id)
  const at = Math.min(Math.max(place, 0), others.length)
  return [...others.slice(0, at), id, ...others.slice(at)]
}
