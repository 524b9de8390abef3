import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordedPictureAnswer, RecordedPictureQuestion, SnapshotFormat } from '@sightline/contract/media-plane'
import { createSemaphore } from '@sightline/platform/limits'
import type { Decoder } from '../decoder/index.ts'
import { findPicture, type PicturePosition } from '../playback/index.ts'
import { FootageAway, type KeyFinder, type ReadQueue, type SegmentFiles, type StreamName } from '../recording/index.ts'
import { type RecordedPicture, readCodedPicture } from './coded-picture.ts'
import { type MadePicture, PictureCache } from './picture-cache.ts'
import { asSingleSample } from './snapshot.ts'

export interface RecordedPicturesDeps {
  readonly store: string
  readonly keys: KeyFinder | undefined
  readonly reads: ReadQueue
  readonly files?: SegmentFiles
  readonly decoder: Decoder | undefined
  readonly now: () => number
}

/** Pictures of footage, for events. */
export interface RecordedPictures extends Disposable {
  take(question: RecordedPictureQuestion): Promise<RecordedPictureAnswer>
}

/** A picture is shown until the next one, of a slow camera as long as this. */
const MAX_BEFORE_MS = 10_000
/** Recording may begin a little after the event. */
const MAX_AFTER_MS = 2000
/** What happened just now may not be on the disk yet. */
const FRESH_MS = 10_000
const WAIT_MS = 4000
const POLL_MS = 500
/** Each holds a group of pictures in memory. */
const CONCURRENT = 2
const MAX_WAITING = 60
const CACHE_BYTES = 16 * 1024 * 1024
const CACHE_LIFE_MS = 10 * 60_000

interface Found {
  readonly stream: StreamName
  readonly position: PicturePosition
}

type Refusal = 'noFootage' | 'timedOut'

/** Why there is no picture. */
class NoPicture extends Error {
  readonly kind: Refusal

  constructor(kind: Refusal, options?: ErrorOptions) {
    super(kind, options)
    this.kind = kind
  }
}

/**
 * Takes pictures from footage. Each is found on the disk anew, with its key, so deleted footage has no pictures; only what
 * was decoded is kept in memory for some minutes (docs/decisions/0094).
 */
export function recordedPictures(deps: RecordedPicturesDeps): RecordedPictures {
  const cache = new PictureCache({ maxBytes: CACHE_BYTES, lifeMs: CACHE_LIFE_MS })
  const places = createSemaphore<'pictures'>({ overall: { concurrency: CONCURRENT, queue: MAX_WAITING } })

  const read = async (question: RecordedPictureQuestion, { stream, position }: Found): Promise<RecordedPicture> => {
    const picture = await readCodedPicture(footageOf(deps, question, stream), position)
    if (picture === undefined) throw new NoPicture('noFootage')
    return picture
  }
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const done = await places.run('pictures', work)
    if (!done.ok) throw new NoPicture('timedOut')
    return done.value
  }
  const take = async (question: RecordedPictureQuestion): Promise<RecordedPictureAnswer> => {
    const { format, cameraId, width } = question
    const { decoder } = deps
    if (format !== 'mp4' && decoder === undefined) return { kind: 'noDecoder' }
    const found = await findSoon(deps, question)
    if (found === undefined) return { kind: 'noFootage' }
    if (format === 'mp4' || decoder === undefined) {
      const sample = await inTurn(async () => asKeySample(await read(question, found)))
      return { kind: 'picture', contentType: 'video/mp4', ...sample }
    }
    const { runId, time } = found.position
    const made = await cache.get([cameraId, found.stream, runId, time, format, width].join(' '), () =>
      inTurn(async () => draw(decoder, { format, width }, await read(question, found))),
    )
    return { kind: 'picture', contentType: 'image/jpeg', ...made }
  }
  return {
    take: (question) =>
      take(question).catch((err: unknown) => {
        if (err instanceof NoPicture) return { kind: err.kind }
        if (err instanceof FootageAway) return { kind: 'timedOut' }
        throw err
      }),
    [Symbol.dispose]: () => cache[Symbol.dispose](),
  }
}

const footageOf = (
  { store, keys, reads, files }: RecordedPicturesDeps,
  of: RecordedPictureQuestion,
  stream: StreamName,
) => ({
  store,
  keys,
  reads,
  files,
  stream: { accountId: of.accountId, cameraId: of.cameraId, stream },
})

/** Waits a few seconds for footage of what happened just now. */
async function findSoon(deps: RecordedPicturesDeps, question: RecordedPictureQuestion): Promise<Found | undefined> {
  const { at } = question
  const deadline = performance.now() + (deps.now() - at < FRESH_MS ? WAIT_MS : 0)
  for (;;) {
    const found = (await findIn(deps, question, 'main')) ?? (await findIn(deps, question, 'sub'))
    const isClose = found !== undefined && found.position.wallClock > at - POLL_MS
    if (isClose || performance.now() >= deadline) return found
    await sleep(POLL_MS)
  }
}

async function findIn(
  deps: RecordedPicturesDeps,
  question: RecordedPictureQuestion,
  stream: StreamName,
): Promise<Found | undefined> {
  const position = await findPicture(footageOf(deps, question, stream), question.at)
  if (position === undefined) return undefined
  const late = position.wallClock - question.at
  return late >= -MAX_BEFORE_MS && late <= MAX_AFTER_MS ? { stream, position } : undefined
}

/** The key picture alone: browsers draw it, no decoder is needed here. */
function asKeySample({ track, units }: RecordedPicture): MadePicture {
  const [key] = units
  if (key === undefined) throw new NoPicture('noFootage')
  if (key.recovery !== undefined) throw new NoPicture('noFootage')
  return { bytes: asSingleSample({ tracks: [track], unit: key }), takenAt: key.wallClock }
}

async function draw(
  decoder: Decoder,
  { format, width }: { readonly format: SnapshotFormat; readonly width: number | undefined },
  picture: RecordedPicture,
): Promise<MadePicture> {
  const bytes = format === 'blurredJpeg' ? decoder.toBlurredJpeg(picture) : decoder.toJpeg(picture, width)
  try {
    return { bytes: await bytes, takenAt: picture.wallClock }
  } catch (cause) {
    // What a camera sent may be undecodable.
    throw new NoPicture('timedOut', { cause })
  }
}
