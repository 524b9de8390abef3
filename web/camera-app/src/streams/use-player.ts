import type { CameraView } from '@sightline/player'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { PlayerPosition } from './use-playback-position.ts'

/** The actions of buttons and keys. */
export interface PlayerActions {
  live(): void
  /** Milliseconds since 1970. Starts playback if live. Never later than now. */
  skip(byMs: number): void
  toggle(): void
  step(frames: number): void
  pick(time: number): void
}

export interface Player {
  readonly use: 'live' | 'playback'
  readonly act: PlayerActions
}

/** The latest footage reaches the disk after about this time. */
const SETTLING_MS = 2000
/** The address is updated this long after the last picture of a step. */
const STEPPED_MS = 400

export function usePlayer(view: CameraView | undefined, place: PlayerPosition): Player {
  const current = useRef({ view, place })
  current.current = { view, place }
  const following = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hasStepped = useRef(false)
  const follow = useCallback(() => {
    clearTimeout(following.current)
    following.current = setTimeout(() => {
      const { phase, wallclock } = current.current.view?.state ?? {}
      if (phase === 'paused' && wallclock !== undefined) current.current.place.remember(Math.round(wallclock))
    }, STEPPED_MS)
  }, [])
  useEffect(() => () => clearTimeout(following.current), [])
  useEffect(() => {
    let last = view?.state.wallclock
    return view?.subscribe(() => {
      const { wallclock, phase } = view.state
      // A picture that is still on its way from the server appears when it arrives.
      if (hasStepped.current && phase === 'paused' && wallclock !== last) follow()
      last = phase === 'paused' ? wallclock : undefined
    })
  }, [view, follow])
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
        hasStepped.current = false
        playing.setPaused(paused)
        if (paused) remember()
      },
      step: (frames) => {
        hasStepped.current = true
        recorded()?.step(frames)
        // A key that is held down causes many steps.
        follow()
      },
    }
  }, [follow])
  return { use: place.use, act }
}
