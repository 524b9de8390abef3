import type { CloudSync } from '@sightline/contract/cloud-sync'
import type { ApiError } from '@sightline/contract/errors'
import type { Zone } from '@sightline/contract/zones'

/** What decides whether gaps of a camera are filled from its card. */
export interface SyncSettings {
  readonly enabled: boolean
  readonly mode: Zone['mode']
  readonly recordingMode: Zone['recordingMode']
  readonly isOnvif: boolean
  /** What the camera said about its card. */
  readonly card: 'yes' | 'no' | 'unknown'
}

const isRecorded = ({ mode, recordingMode }: SyncSettings): boolean =>
  recordingMode === 'continuous' && (mode === 'armed' || mode === 'scheduled')

const isReadable = ({ isOnvif, card }: SyncSettings): boolean => isOnvif && card !== 'no'

export function toCloudSync(settings: SyncSettings): CloudSync {
  const { enabled } = settings
  if (!enabled) return { enabled, paused: null }
  if (!isReadable(settings)) return { enabled, paused: 'unsupported' }
  return { enabled, paused: isRecorded(settings) ? null : 'mode' }
}

/** Why filling gaps can't be switched on; undefined if it can. */
export function syncFault(settings: SyncSettings): ApiError | undefined {
  if (!settings.isOnvif)
    return unsupported('only cameras that are connected by ONVIF can be asked for their recordings')
  if (settings.card === 'no')
    return unsupported(
      "the camera's recordings can't be read: it names no recording and search service (ONVIF Profile G)",
    )
  if (isRecorded(settings)) return undefined
  return {
    error: 'businessRule',
    detail: 'gaps are filled only for cameras that record continuously and are armed or follow a schedule',
  }
}

const unsupported = (detail: string): ApiError => ({ error: 'capabilityNotSupported', detail })
