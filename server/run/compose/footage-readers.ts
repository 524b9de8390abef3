import {
  AWAY_PARAMETER,
  type FootageAddress,
  findClipEnd,
  findDisk,
  findOwner,
  findWantedFootage,
  type WantedClip,
  type WantedFootage,
} from '@sightline/media/control'
import type { Db } from '@sightline/platform/db'
import { tokenSha256 } from '@sightline/platform/sessions'
import type { RunningWorker } from './worker-connection.ts'

/** Where footage is read: by a worker of the machine that has it, or nowhere while that machine is away. */
export type FootageReader =
  | { readonly kind: 'worker'; readonly worker: RunningWorker }
  | { readonly kind: 'away' }
  /** No disk has it: whoever serves the camera says so. */
  | { readonly kind: 'none' }

/** Finds who reads footage, in an installation of several machines. */
export interface FootageReaders {
  find(wanted: WantedFootage, workers: readonly RunningWorker[]): Promise<FootageReader>
  /** The same for a viewer's address. */
  findForAddress(url: string, workers: readonly RunningWorker[]): Promise<FootageReader>
  /** Until when one disk has the footage of a span. */
  clipEnd(wanted: WantedClip): Promise<number>
}

/** @param db under the role `media`. */
export function footageReaders(db: Db, now: () => number): FootageReaders {
  const find = async (wanted: WantedFootage, workers: readonly RunningWorker[]): Promise<FootageReader> => {
    const disk = await findDisk(db, wanted)
    if (disk === undefined) return { kind: 'none' }
    const onDisk = workers.filter((worker) => worker.disk === disk)
    const keeper = findOwner(
      wanted.cameraId,
      onDisk.map(({ workerId }) => workerId),
    )
    const worker = onDisk.find(({ workerId }) => workerId === keeper)
    return worker === undefined ? { kind: 'away' } : { kind: 'worker', worker }
  }
  return {
    find,
    clipEnd: (wanted) => findClipEnd(db, wanted),
    async findForAddress(url, workers) {
      const stream = readAddress(url)
      const wanted = stream && (await findWantedFootage(db, stream, now()))
      return wanted === undefined ? { kind: 'none' } : await find(wanted, workers)
    },
  }
}

function readAddress(url: string): FootageAddress | undefined {
  const parameters = URL.parse(url, 'http://media')?.searchParams
  const cameraId = Number(parameters?.get('camera_id') ?? Number.NaN)
  if (parameters === undefined || !Number.isSafeInteger(cameraId)) return undefined
  const ticket = parameters.get('ticket')
  // Of a stream, or of a file.
  const time = Date.parse(parameters.get('time') ?? parameters.get('from') ?? '')
  const stream = parameters.get('stream')
  return {
    cameraId,
    ticketSha256: ticket === null ? undefined : tokenSha256(ticket),
    time: Number.isNaN(time) ? undefined : time,
    stream: stream === 'main' || stream === 'sub' ? stream : undefined,
  }
}

/** The same address, at which a worker answers that the footage is away. */
export function addressOfAwayFootage(url: string): string {
  const address = URL.parse(url, 'http://media')
  address?.searchParams.set(AWAY_PARAMETER, '1')
  return address === null ? url : `${address.pathname}${address.search}`
}
