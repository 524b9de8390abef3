import { useEffect, useMemo, useRef } from 'react'
import type { StagePosition } from './stage-position.ts'

/** The actions of buttons and keys. */
export interface StageActions {
  live(): void
  /** Starts playback if live. Never later than now. */
  skip(byMs: number): void
  toggle(): void
  /** By that many pictures of the selected camera. */
  step(frames: number): void
  /** Milliseconds since 1970. */
  pick(time: number): void
}

/** The latest footage reaches the disk after about this time. */
const SETTLING_MS = 2000
/** The address is updated this long after the last step. */
const STEPPED_MS = 400

/** Always the same object, so that keys and timers act on what is watched now. */
export function useStageActions(position: StagePosition, selected: number): StageActions {
  const current = useRef({ position, selected })
  current.current = { position, selected }
  const following = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(following.current), [])
  return useMemo((): StageActions => {
    const player = () => current.current.position.player
    const remember = () => {
      const state = player()?.state
      if (state?.isPaused === true) current.current.position.remember(Math.round(state.time))
    }
    const follow = () => {
      clearTimeout(following.current)
      following.current = setTimeout(() => {
        // A picture that is still on its way counts when it is there.
        if (player()?.state.isStill === false) follow()
        else remember()
      }, STEPPED_MS)
    }
    const pick = (time: number) => current.current.position.goTo(Math.round(Math.min(time, Date.now() - SETTLING_MS)))
    return {
      pick,
      live: () => {
        if (current.current.position.use === 'playback') current.current.position.goLive()
      },
      skip: (byMs) => {
        const isLive = current.current.position.use === 'live'
        if (byMs < 0 || !isLive) pick((player()?.state.time ?? Date.now()) + byMs)
      },
      toggle: () => {
        const { isPaused } = player()?.state ?? {}
        if (isPaused === undefined) return
        clearTimeout(following.current)
        player()?.setPaused(!isPaused)
        if (!isPaused) remember()
      },
      step: (frames) => {
        if (player() === undefined) return
        player()?.step(frames, current.current.selected)
        // A key that is held down causes many steps.
        follow()
      },
    }
  }, [])
}
