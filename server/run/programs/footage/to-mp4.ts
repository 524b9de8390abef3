import { type FileHandle, open } from 'node:fs/promises'
import type { TrackConfig } from '@sightline/media/frame'
import { fragment, initSegment, type Sample } from '@sightline/media/mux'
import { openPlayback, type PlaybackMessage, type PlayedPart } from '@sightline/media/playback'
import { type KeyFinder, listStreams, type SegmentFiles, type StreamName } from '@sightline/media/recording'
import { fail, ok, type Result } from '@sightline/platform/result'

export interface Mp4Request {
  readonly store: string
  readonly keys: KeyFinder
  /** Where segments are; on the disk by default. */
  readonly files?: SegmentFiles
  readonly cameraId: number
  readonly stream: StreamName
  /** Milliseconds since 1970. The file begins with the key picture at or before it. */
  readonly from: number
  readonly to: number
  /** A file that doesn't exist yet. */
  readonly out: string
}

/** Writes footage to an MP4 file without decoding it. Gaps are skipped. */
export async function writeMp4(request: Mp4Request): Promise<Result<string, string>> {
  const { store, keys, files, cameraId, stream: name, from, to, out } = request
  const stream = (await listStreams(store)).find((one) => one.cameraId === cameraId && one.stream === name)
  if (stream === undefined) return fail(`Camera ${cameraId} has no footage of its ${name} stream in ${store}.`)
  await using file = await open(out, 'wx', 0o600)
  const mp4 = new Mp4Writer(file)
  for await (const message of openPlayback({ store, stream, keys, files, at: from })) {
    if (message.kind === 'part' && message.wallClock >= to) break
    if ((await mp4.write(message)) === 'otherFormat')
      return fail(`${out} ends where the camera changed its video format. Write the rest to another file.`)
  }
  return mp4.report(out)
}

class Mp4Writer {
  readonly #file: FileHandle
  readonly #time = new MediaTime()
  #tracks: readonly TrackConfig[] | undefined
  #sequence = 0
  #unreadable = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  async write(message: PlaybackMessage): Promise<'written' | 'otherFormat'> {
    if (message.kind === 'damaged') this.#unreadable++
    if (message.kind === 'tracks') {
      if (this.#sequence > 0) return 'otherFormat'
      this.#tracks = message.tracks
      await this.#file.write(initSegment(message.tracks))
    }
    if (message.kind === 'part') await this.#writePart(message)
    return 'written'
  }

  report(out: string): Result<string, string> {
    if (this.#sequence === 0) return fail('There is no readable footage of this camera in this time.')
    const damage = this.#unreadable === 0 ? '' : ` ${this.#unreadable} damaged or unreadable pieces were left out.`
    return ok(`Wrote ${this.#time.seconds.toFixed(1)} s to ${out}.${damage}\n`)
  }

  async #writePart(part: PlayedPart): Promise<void> {
    const origin = this.#time.originOf(part.runId, part)
    const sequence = ++this.#sequence
    await this.#file.writev(fragment({ sequence, tracks: this.#tracks ?? [], samples: part.samples, origin }))
  }
}

/** Lines up runs one after another. */
class MediaTime {
  #run: string | undefined
  #origin = 0
  #end = 0

  /** In seconds. */
  get seconds(): number {
    return this.#end / 90_000
  }

  originOf(runId: string, part: { time: number; duration: number; samples: readonly Sample[] }): number {
    const first = Math.min(...part.samples.map(({ unit }) => unit.time))
    if (runId !== this.#run || first - this.#origin < 0) this.#origin = first - this.#end
    this.#run = runId
    this.#end = part.time + part.duration - this.#origin
    return this.#origin
  }
}
