import type { Mood } from '@sightline/kit'
import type { Phase } from '@sightline/player'
import type { Text } from '../text.ts'

export interface Said {
  readonly text: Text
  readonly mood: Mood
  /** The age of the picture is shown next to it. */
  readonly withAge: boolean
}

const said = (text: Text, mood: Mood, withAge = false): Said => ({ text, mood, withAge })

/** The state of a picture as a word and a color. Only a live picture looks live. `backward` is playback with a rate below zero. */
export function liveBadge(phase: Phase, use: 'live' | 'playback' | 'backward', isPrivate = false): Said {
  if (isPrivate && isFrozen(phase)) return said('Private', 'neutral')
  switch (phase) {
    case 'connecting':
      return said('Connecting', 'neutral')
    case 'playing':
      return use === 'live' ? said('Live', 'success') : said('Recorded', 'brand')
    case 'delayed':
      return said('Delayed', 'warning', true)
    case 'stalled':
      return said('Frozen', 'warning', true)
    case 'paused':
      return said('Paused', 'neutral')
    case 'gap':
      return said('Recorded', 'brand')
    case 'reconnecting':
      return said('Reconnecting', 'warning', use === 'live')
    case 'offline':
      return said('Offline', 'danger', true)
    case 'refused':
      return said('Not allowed', 'danger')
    case 'ended':
      return said(use === 'backward' ? 'Start of footage' : 'End of footage', 'neutral')
    case 'unsupported':
      return said('Not playable', 'danger')
  }
}

/** Whether a picture has frozen unexpectedly, so that it must say so. */
export const isFrozen = (phase: Phase): boolean =>
  phase === 'stalled' || phase === 'reconnecting' || phase === 'offline'

/** An age in a suitable unit: `12 sec`, `3 min`, `5 hr`, `2 days`. */
export function ageText(ms: number, language: string): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [value, unit] = largestUnit(seconds)
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value)
}

function largestUnit(seconds: number): [number, 'second' | 'minute' | 'hour' | 'day'] {
  if (seconds < 60) return [seconds, 'second']
  if (seconds < 3600) return [Math.floor(seconds / 60), 'minute']
  if (seconds < 86_400) return [Math.floor(seconds / 3600), 'hour']
  return [Math.floor(seconds / 86_400), 'day']
}
