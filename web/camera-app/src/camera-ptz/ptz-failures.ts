import { ApiFailure } from '@sightline/client'
import type { Text } from './text.ts'

const byCode: Readonly<Record<number, Text>> = {
  4: 'This view no longer exists.',
  6: 'Someone else is moving this camera.',
  9: "You don't have the right to do this.",
  11: "The camera can't do this.",
  12: 'The camera rejected its user name and password.',
  13: 'The camera rejected the movement.',
  18: 'The camera is offline',
  19: "The camera didn't respond.",
}

/** What the user is told of a movement that failed. */
export const ptzFailure = (error: unknown): Text =>
  (error instanceof ApiFailure ? byCode[error.code] : undefined) ?? 'Couldn’t move the camera. Try again.'

/** The same for changes of presets. */
export const presetMessages = { ...byCode, 6: 'The camera has no room for another view. Delete one first.' } as const
