import { useKeys } from '../use-keys.ts'
import type { StageActions } from './stage-actions.ts'

export interface StageKeys {
  readonly act: StageActions
  /** Undefined until it is known. */
  readonly mayPlayBack: boolean | undefined
  readonly onFullScreen: () => void
  readonly onSave: () => void
  readonly onSound: () => void
  readonly onDetails: () => void
  readonly onHelp: () => void
  /** With several cameras: selects the one of that place, from 0. */
  readonly onSelect: ((place: number) => void) | undefined
  /** With several cameras: shows the selected one alone, or all again. */
  readonly onEnlarge: (() => void) | undefined
  /** Leaves full screen, or the camera that is shown alone. */
  readonly onEscape: (() => void) | undefined
}

const PLACES = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

/** The keys of the stage, as listed in KeyHelp.tsx. */
export function useStageKeys(keys: StageKeys): void {
  const { act, mayPlayBack, onSelect, onEnlarge, onEscape } = keys
  const arrow = (event: KeyboardEvent) => (event.shiftKey ? 60_000 : 10_000)
  useKeys({
    f: keys.onFullScreen,
    s: keys.onSave,
    m: keys.onSound,
    d: keys.onDetails,
    '?': keys.onHelp,
    ...(onSelect && Object.fromEntries(PLACES.map((key, place) => [key, () => onSelect(place)]))),
    ...(onEnlarge && { enter: onEnlarge }),
    ...(onEscape && { escape: onEscape }),
    ...(mayPlayBack === true
      ? {
          ' ': act.toggle,
          k: act.toggle,
          j: () => act.skip(-10_000),
          l: () => act.skip(10_000),
          v: act.live,
          ',': () => act.step(-1),
          '.': () => act.step(1),
          arrowleft: (event: KeyboardEvent) => act.skip(-arrow(event)),
          arrowright: (event: KeyboardEvent) => act.skip(arrow(event)),
        }
      : {}),
  })
}
