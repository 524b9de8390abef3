import type { CameraView } from '@sightline/player'
import { useEffect, useMemo, useRef } from 'react'
import type { Place } from './use-place.ts'

/** What buttons and keys do with the picture. */
export interface PlayerActions {
  live(): void
  /** Milliseconds; from live this begins playback. Never beyond now. */
  skip(byMs: number): void
  toggle(): void
  step(frames: number): void
  pick(time: number): void
}

export interface Player {
  readonly use: 'live' | 'playback'
  readonly act: PlayerActions
}

/** The newest footage is on its way to the disk for about so long. */
const SETTLING_MS = 2000
/** So long after the last step the address follows. */
const STEPPED_MS = 400

export function usePlayer(view: CameraView | undefined, place: Place): Player {
  const current = useRef({ view, place })
  current.current = { view, place }
  const stepped = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(stepped.current), [])
  const act = useMemo((): PlayerActions => {
    const pick = (time: number) => current.current.place.goTo(Math.round(Math.min(time, Date.now() - SETTLING_MS)))
    const remember = () => {
      const { wallclock } = current.current.view?.state ?? {}
      if (wallclock !== undefined) current.current.place.remember(Math.round(wallclock))
    }
    const recorded = () => (current.current.place.use === 'playback' ? current.current.view : undefined)
    return {
      pick,
      live: () => {
        if (recorded() !== undefined) current.current.place.goLive()
      },
      skip: (byMs) => {
        const { wallclock = Date.now() } = current.current.view?.state ?? {}
        if (byMs < 0 || recorded() !== undefined) pick(wallclock + byMs)
      },
      toggle: () => {
        const playing = recorded()
        if (playing === undefined) return
        const paused = playing.state.phase !== 'paused'
        playing.setPaused(paused)
        if (paused) remember()
      },
      step: (frames) => {
        recorded()?.step(frames)
        // The picture takes a moment, and a key held down many.
        clearTimeout(stepped.current)
        stepped.current = setTimeout(() => {
          if (recorded()?.state.phase === 'paused') remember()
        }, STEPPED_MS)
      },
    }
  }, [])
  return { use: place.use, act }
}
