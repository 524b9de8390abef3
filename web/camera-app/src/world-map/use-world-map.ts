import { type RefObject, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { GestureTexts, WorldMap } from './open-map.ts'
import { useText } from './text.ts'

/** `missing`: the browser has no WebGL, or the map's files can't be loaded. */
export type MapState = WorldMap | 'loading' | 'missing'

let known: boolean | undefined
/** Whether the browser can draw maps; asked once, because each answer takes a context. */
function canDrawMaps(): boolean {
  if (known !== undefined) return known
  const context = document.createElement('canvas').getContext('webgl2')
  known = context !== null
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return known
}

/** A map of the world in that element, while it is on the screen. Its code and its outlines load now. */
export function useWorldMap(place: RefObject<HTMLElement | null>): MapState {
  const t = useText()
  const [state, setState] = useState<MapState>(() => (canDrawMaps() ? 'loading' : 'missing'))
  useEffect(() => {
    const element = place.current
    if (element === null || !canDrawMaps()) return undefined
    const texts: GestureTexts = {
      touch: t('Use two fingers to move the map'),
      wheel: t('Use Ctrl and scroll to zoom the map'),
      wheelOnMac: t('Use ⌘ and scroll to zoom the map'),
    }
    let isGone = false
    let opened: WorldMap | undefined
    const open = async () => {
      const { openWorldMap } = await import('./open-map.ts')
      if (isGone) return
      const map = await openWorldMap(element, texts)
      if (isGone) return map.close()
      opened = map
      setState(map)
    }
    open().catch(() => {
      if (!isGone) setState('missing')
    })
    return () => {
      isGone = true
      opened?.close()
      setState('loading')
    }
  }, [place, t])
  return state
}

/** Renders again whenever the map moves. */
export function useMapMoves(state: MapState): void {
  const map = typeof state === 'string' ? undefined : state
  const [counter] = useState({ moves: 0 })
  const subscribe = useCallback(
    (changed: () => void) =>
      map?.onMove(() => {
        counter.moves += 1
        changed()
      }) ?? (() => undefined),
    [map, counter],
  )
  useSyncExternalStore(subscribe, () => counter.moves)
}
