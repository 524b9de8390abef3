/**
 * A recorder in a separate process, to be killed: footage arrives in real time and is recorded into a folder.
 * Arguments: store, fence, state of the lease, milliseconds that each sync takes longer, length of a segment in milliseconds. Prints each picture's number before passing the picture to the hub.
 */
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHub } from '../../server/media/src/hub/index.ts'
import {
  claimFence,
  Manifest,
  record,
  recoverStream,
  SyncGroup,
  streamFolder,
} from '../../server/media/src/recording/index.ts'
import { CAMERA, MemoryRunLog } from '../../server/media/src/recording/recording-stage.ts'
import { footage, play } from '../fixtures/footage.ts'

const [store = '', fence = '1', state = 'held', syncMs = '0', segmentMs = '5000'] = process.argv.slice(2)
const group = new SyncGroup({
  disk: async (sync) => {
    if (syncMs !== '0') await sleep(Number(syncMs))
    await sync()
  },
})
const runs = new MemoryRunLog()
await claimFence(streamFolder(store, CAMERA), Number(fence), { group, failed: (cause) => console.error(cause) })
await recoverStream({ store, stream: CAMERA, fence: Number(fence), group, runs, previousWriter: 'dead' })
const manifest = await Manifest.open({ store, stream: CAMERA, group, failed: (cause) => console.error(cause) })
const hub = createHub()
const stopping = new AbortController()
process.once('SIGTERM', () => stopping.abort('stopped'))
const recording = record(
  {
    reader: hub.join({ start: 'next-key', maxQueuedBytes: 1e8 }),
    store,
    stream: CAMERA,
    kind: 'continuous',
    lease: { fence: Number(fence), state: state === 'lapsed' ? 'lapsed' : 'held' },
    manifest,
    group,
    runs,
    health: (health) => writeSync(1, `${health.kind}\n`),
    segmentMs: Number(segmentMs),
  },
  stopping.signal,
)

const clips = [footage('main.h264'), footage('tone16.aac')]
hub.publish({ kind: 'tracks', tracks: clips.map((clip) => clip.track) })
const start = Date.now()
let picture = 0
for (const { track, unit } of play(clips, { seconds: 3600, wallClock: start })) {
  while (Date.now() < unit.wallClock && !stopping.signal.aborted) await sleep(Math.max(unit.wallClock - Date.now(), 1))
  if (stopping.signal.aborted) break
  if (track === 0) writeSync(1, `${++picture}\n`)
  hub.publish({ kind: 'unit', track, unit })
}
await recording
await manifest[Symbol.asyncDispose]()
