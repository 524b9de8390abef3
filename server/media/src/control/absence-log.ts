import { causeOfEnd, type RunEnd, type RunLog, type StreamKey } from '../recording/index.ts'
import type { CameraState } from '../source/index.ts'

/**
 * Tells the run log why a camera is offline if the end of its last run doesn't say it: the worker had stopped, or the
 * connection broke and the camera hasn't been reachable since. The first cause stays until the camera is back.
 */
export function absenceLog({
  stream,
  runs,
  now,
}: {
  readonly stream: StreamKey
  readonly runs: RunLog
  readonly now: () => number
}): (state: CameraState) => void {
  let isOnline = false
  let logged: RunEnd | undefined
  return (state) => {
    if (state.kind === 'connecting') return
    if (state.kind === 'online') {
      isOnline = true
      return
    }
    const why = causeOfEnd(state.cause.kind)
    // The recorder ends its run with the same cause.
    if (isOnline) logged = why
    isOnline = false
    if (why === logged || logged === 'cameraOffline') return
    logged = why
    runs.notRecorded(stream, now(), why)
  }
}
