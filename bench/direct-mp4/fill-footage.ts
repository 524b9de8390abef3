import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyService } from '@sightline/media/control'
import { toDay } from '../../server/media/src/recording/footage-keys.ts'
import { stage } from '../../server/media/src/recording/recording-stage.ts'
import { findFootageKek } from '../../server/run/compose/footage-secrets.ts'
import { readSecrets } from '../../server/run/compose/secrets.ts'
import { playTracks, readH264 } from '../../tests/fixtures/footage.ts'
import { inInstallation } from '../installation.ts'
import { loadClip } from '../recorder/load-clip.ts'

/** Ticks of 90 kHz of a picture of the clip. */
const FRAME_TICKS = 3600

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
  set.show(...playTracks([readH264(readFileSync(loadClip().path), FRAME_TICKS)], { seconds, wallClock: from }))
  await set.stop()
}
