import type { CameraLogEvent, CameraLogLevel } from '@sightline/contract/camera-logs'
import type { Mood } from '@sightline/kit'
import type { Text } from './text.ts'

export const levelWords: Readonly<Record<CameraLogLevel, { readonly text: Text; readonly mood: Mood }>> = {
  info: { text: 'Information', mood: 'neutral' },
  warning: { text: 'Warning', mood: 'warning' },
  error: { text: 'Error', mood: 'danger' },
}

export const eventWords: Readonly<Record<CameraLogEvent, Text>> = {
  connected: 'Connected',
  connectionLost: 'Connection lost',
  connectionFailed: 'Connection failed',
  credentialsRefused: 'Password refused',
  recordingStarted: 'Recording started',
  recordingStopped: 'Recording stopped',
  recordingFailed: 'Recording failed',
  gap: 'Gap in the footage',
  repeated: 'More of the same',
}
