import { BODY_WORN } from '@sightline/contract/cameras'
import type { DeviceType } from '@sightline/contract/reference-lists'

/**
 * What this server can drive. Cameras are driven by what they speak and not by their model, so there is one type for all
 * of them (docs/decisions/0118), and one for those worn on a body (docs/decisions/0131).
 */
export const deviceTypes: DeviceType[] = [
  {
    deviceTypeId: 0,
    brand: null,
    model: null,
    capabilities: ['live', 'recording', 'audio', 'speaker', 'motionDetection', 'videoSettings', 'clock', 'subStream'],
  },
  { deviceTypeId: BODY_WORN, brand: null, model: null, capabilities: ['track'] },
]
