import { createHash } from 'node:crypto'
import type { StreamKey } from './run-log.ts'

/** When in each minute a camera's segment ends, so that not all cameras do it at the same time. */
export function rotationPhase({ cameraId, stream }: StreamKey, segmentMs: number): number {
  return createHash('sha256').update(`${cameraId}/${stream}`).digest().readUInt32BE(0) % segmentMs
}
