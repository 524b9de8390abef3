import type { EventType } from '@sightline/contract/events'
import type { Text } from './text.ts'

/** The types of events in words. */
export const eventTexts: Readonly<Record<EventType, Text>> = {
  motion: 'Motion',
  audio: 'Noise',
  pir: 'Motion (infrared sensor)',
  intrusion: 'Intrusion',
  tripwire: 'Line crossed',
  object: 'Object detected',
  cameraOnline: 'Camera back online',
  cameraOffline: 'Camera offline',
  cameraAdded: 'Camera added',
  cameraRemoved: 'Camera removed',
  cameraReplaced: 'Camera replaced',
  recordingStarted: 'Recording started',
  recordingStopped: 'Recording stopped',
  edgeStorageError: 'Card error',
  ioInput: 'Input switched',
  doorbell: 'Doorbell',
  tampered: 'Camera tampered with',
  userAction: 'Changed by a user',
  custom: 'Event of another system',
}
