/** Whether somebody listens, and how loud, from 0 to 1. */
export interface SoundChoice {
  readonly on: boolean
  readonly volume: number
}

/** A page is silent until somebody wants to hear it. */
export const silent: SoundChoice = { on: false, volume: 0.8 }

const LEAST_VOLUME = 0.05

/** Reads what {@link soundText} wrote; anything else is the choice of nobody. */
export function parseSound(text: string | null): SoundChoice {
  const [on, volume] = text?.split(' ') ?? []
  const loud = Number(volume)
  if ((on !== 'on' && on !== 'off') || !(loud >= LEAST_VOLUME && loud <= 1)) return silent
  return { on: on === 'on', volume: loud }
}

/** As a browser keeps it: `on 0.8`. */
export const soundText = ({ on, volume }: SoundChoice): string => `${on ? 'on' : 'off'} ${volume}`

/** Moved to the least, sound is off; moved up from there, it is on as loud as that. */
export const withVolume = (choice: SoundChoice, volume: number): SoundChoice =>
  volume < LEAST_VOLUME ? { ...choice, on: false } : { on: true, volume: Math.min(volume, 1) }
