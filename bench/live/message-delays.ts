import { toCounter, toWriteTime } from './browser-viewer.ts'
import type { NodeView } from './node-viewer.ts'

/** The server's and the simulator's clocks may differ slightly. */
const CLOCK_SLACK_MS = 3
const REPLAY_MS = 1000

/** The time from each picture's writing by the camera to its message's arrival. */
export function messageDelays({ arrived, offsets }: NodeView, fps: number): number[] {
  const first = arrived[0]
  if (first === undefined) return []
  // A mark has the time when a picture's first byte reached the server, which is never before it was sent. So the earliest
  // counter that any mark allows is correct.
  const takenAt = Math.min(...offsets) + first.mediaTime + CLOCK_SLACK_MS
  const sentFirst = toWriteTime(toCounter(takenAt, fps), fps)
  // A viewer first gets the pictures since the last key picture, which are not current.
  return arrived
    .filter(({ at }) => at - first.at > REPLAY_MS)
    .map(({ mediaTime, at }) => at - (sentFirst + mediaTime - first.mediaTime))
}
