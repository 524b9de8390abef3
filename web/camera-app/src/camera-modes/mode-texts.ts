import type { CameraMode } from '@sightline/contract/camera-modes'
import type { Text } from './text.ts'

export type Mode = CameraMode['mode']

interface ModeText {
  readonly mode: Mode
  readonly name: Text
  /** What it means for video, recording and notifications. */
  readonly meaning: Text
}

/** The modes of a camera or zone in order, with the specification's meanings. */
export const modeTexts: readonly ModeText[] = [
  { mode: 'armed', name: 'Armed', meaning: 'Always records and sends notifications.' },
  { mode: 'silent', name: 'Silent', meaning: 'Always records but sends no notifications.' },
  {
    mode: 'disarmed',
    name: 'Disarmed',
    meaning: "Doesn't record or send notifications. You can still watch live video.",
  },
  { mode: 'private', name: 'Private', meaning: 'The camera is off: no live video, no recording, no notifications.' },
  {
    mode: 'scheduled',
    name: 'Scheduled',
    meaning: 'Records and sends notifications at the times in the schedule.',
  },
]

/** The name of a mode. */
export const modeName = (mode: Mode): Text => modeTexts.find((one) => one.mode === mode)?.name ?? 'Unknown'
