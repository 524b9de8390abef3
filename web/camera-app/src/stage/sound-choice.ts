/** Whether sound is on, and its volume from 0 to 1. */
export interface SoundChoice {
  readonly on: boolean
  readonly volume: number
}

/** Sound is off until the user turns it on. */
export const silent: SoundChoice = { on: false, volume: 0.8 }

const LEAST_VOLUME = 0.05

/** Parses the result of {@link soundText}; anything else means no choice. */
export function parseSound(text: string | null): SoundChoice {
  const [on, volume] = text?.split(' ') ?? []
  const loud = Number(volume)
  if ((on !== 'on' && on !== 'off') || !(loud >= LEAST_VOLUME && loud <= 1)) return silent
  return { on: on === 'on', volume: loud }
}

/** The stored form: `on 0.8`. */
export const soundText = ({ on, volume }: SoundChoice): string => `${on ? 'on' : 'off'} ${volume}`

/** Volume 0 turns sound off; a higher volume turns it on. */
export const withVolume = (choice: SoundChoice, volume: number): SoundChoice =>
  volume < LEAST_VOLUME ? { ...choice, on: false } : { on: true, volume: Math.min(volume, 1) }
