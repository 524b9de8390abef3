import type { CameraStatus } from '@sightline/contract/cameras'
import { type PictureView, useViewState } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { useState } from 'react'
import { type Text, useText } from '../text.ts'
import { parseSound, type SoundChoice, soundText, withVolume } from './sound-choice.ts'

const REMEMBERED = 'sound'

/** State and actions of the sound control. */
export interface SoundControls {
  readonly on: boolean
  readonly volume: number
  /** For the player: 0 while sound is off. */
  readonly heard: number
  /** Why there is no sound; undefined if there is. */
  readonly why: Text | undefined
  toggle(): void
  setVolume(volume: number): void
}

interface Given {
  readonly view: PictureView | undefined
  readonly status: CameraStatus | undefined
  /** Undefined until it is known. */
  readonly mayListen: boolean | undefined
}

function useReason({ view, status, mayListen }: Given): Text | undefined {
  const sound = useViewState(view, (state) => state.sound)
  const rate = useViewState(view, (state) => state.rate)
  if (status?.audioEnabled === false) return 'This camera has no sound.'
  if (mayListen === false) return 'You don’t have permission to listen. Ask the account owner.'
  if (sound === 'unsupported') return 'This browser can’t play this camera’s sound.'
  if (sound === 'none') return 'There is no sound here, or the browser can’t play it.'
  return rate === 1 ? undefined : 'Sound plays only at normal speed.'
}

/** Sound as last chosen in this browser; off by default, because browsers mute pages without user interaction. */
export function useSound(given: Given): SoundControls {
  const { snackBar } = useApplication()
  const t = useText()
  const [choice, setChoice] = useState(() => parseSound(localStorage.getItem(REMEMBERED)))
  const isBlocked = useViewState(given.view, (state) => state.sound === 'blocked')
  const why = useReason(given)
  const keep = (next: SoundChoice) => {
    localStorage.setItem(REMEMBERED, soundText(next))
    setChoice(next)
  }
  return {
    // While the browser still blocks sound, it counts as off, whatever was chosen.
    on: choice.on && !isBlocked,
    volume: choice.volume,
    heard: choice.on ? choice.volume : 0,
    why,
    toggle: () => {
      if (why !== undefined) snackBar.info(t(why))
      // The click allows the browser to start sound.
      else keep({ ...choice, on: isBlocked || !choice.on })
    },
    setVolume: (volume) => keep(withVolume(choice, volume)),
  }
}
