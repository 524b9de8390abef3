import { useCallback, useSyncExternalStore } from 'react'
import type { FootagePlayer, FootageState } from './footage-player.ts'

/** A part of what people see of the time. Renders again when it changes, so `select` should return as little as possible. */
export function useFootageState<T extends string | number | boolean | undefined | FootageState['skipped']>(
  player: FootagePlayer,
  select: (state: FootageState) => T,
): T {
  const read = useCallback(() => select(player.state), [player, select])
  return useSyncExternalStore(player.subscribe, read)
}
