import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { keyService } from '@sightline/media/control'
import { toDay } from '../../server/media/src/recording/footage-keys.ts'
import { type MemoryRunLog, stage } from '../../server/media/src/recording/recording-stage.ts'
import { findFootageKek } from '../../server/run/compose/footage-secrets.ts'
import { readSecrets } from '../../server/run/compose/secrets.ts'
import { playTracks, readH264 } from '../../tests/fixtures/footage.ts'
import { inInstallation } from '../installation.ts'
import { loadClip } from '../recorder/load-clip.ts'

/** Ticks of 90 kHz of a picture of the clip. */
const FRAME_TICKS = 3600
const TICKS_PER_SECOND = 90_000
const MINUTE_SECONDS = 60
/** Footage that the recorder may still hold. */
const SLACK_MS = 15_000

interface Wanted {
  readonly accountId: number
  readonly cameraId: number
  /** Milliseconds since 1970. */
  readonly from: number
  readonly seconds: number
}

/** Writes encrypted footage of a camera with the product's recorder, as fast as the disk allows, while the product is stopped. */
export async function fillFootage(dataFolder: string, { accountId, cameraId, from, seconds }: Wanted): Promise<void> {
  const kek = findFootageKek(await readSecrets(dataFolder))
  const days = [...new Set([toDay(from), toDay(from + seconds * 1000)])]
  const keys = await inInstallation(dataFolder, ({ db, encryption }) =>
    keyService({ db, kek, encryption }).prepareDayKeys({ accountId, cameraId }, days),
  )
  const store = join(dataFolder, 'footage')
  const dayKey = (time: number) => {
    const key = keys.get(toDay(time))
    if (key === undefined) throw new Error(`no key for ${toDay(time)}`)
    return key
  }
  const set = await stage({ store, stream: { accountId, cameraId, stream: 'main' }, dayKey })
  const clip = readH264(readFileSync(loadClip().path), FRAME_TICKS)
  // Minute by minute: the recorder's queue holds only so much.
  for (let at = 0; at < seconds; at += MINUTE_SECONDS) {
    const length = Math.min(MINUTE_SECONDS, seconds - at)
    const [tracks, units] = playTracks([clip], {
      seconds: length,
      wallClock: from + at * 1000,
      time: at * TICKS_PER_SECOND,
    })
    if (at === 0) set.hub.publish({ kind: 'tracks', tracks })
    for (const { track, unit } of units) set.hub.publish({ kind: 'unit', track, unit })
    // The last picture is written with the next.
    await untilRecorded(set.runs, from + (at + length) * 1000 - SLACK_MS)
  }
  await set.stop()
}

async function untilRecorded({ calls }: MemoryRunLog, time: number): Promise<void> {
  while ((calls.at(-1)?.slice.end ?? 0) < time) await sleep(5)
}
