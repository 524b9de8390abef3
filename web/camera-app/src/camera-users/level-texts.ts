import type { CameraUser } from '@sightline/contract/camera-users'
import type { Text } from './text.ts'

/** ONVIF calls viewers users, which would be said of everybody here. */
export const levelTexts: Readonly<Record<CameraUser['level'], Text>> = {
  administrator: 'Administrator',
  operator: 'Operator',
  user: 'Viewer',
  other: 'Another level',
}
