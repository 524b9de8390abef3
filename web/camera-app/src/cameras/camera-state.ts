import type { CameraStatus } from '@sightline/contract/cameras'
import type { Mood } from '@sightline/kit'
import type { Text } from '../text.ts'

/** How a camera is, in a word and a colour. */
export function stateOf(status: CameraStatus | undefined): { text: Text; mood: Mood } {
  if (status === undefined) return { text: 'Unknown', mood: 'neutral' }
  if (status.online) return { text: 'Online', mood: 'success' }
  switch (status.lastConnectionResult) {
    case 'credentialsIncorrect':
      return { text: 'Wrong password', mood: 'warning' }
    case 'neverConnected':
      return { text: 'Connecting', mood: 'neutral' }
    case 'ok':
    case 'timeout':
    case 'unreachable':
      return { text: 'Offline', mood: 'danger' }
  }
}
