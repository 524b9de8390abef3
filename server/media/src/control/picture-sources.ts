import type { StreamName } from '@sightline/contract/streams'
import { createSemaphore, type Permit } from '@sightline/platform/limits'
import type { Logger } from '@sightline/platform/log'
import type { JpegDecoder, JpegDecoderOptions, SoundDecoder, SoundDecoderOptions } from '../decoder/index.ts'
import type { Hub } from '../hub/index.ts'
import { type PictureSource, pictureSource, WaitingPieces } from '../pictures/index.ts'
import type { ChannelKeeper } from './channel-keeper.ts'
import { ownPictures } from './own-pictures.ts'

/** How JPEGs are made of live video. */
export interface PictureOptions {
  /** Of so many streams at a time. */
  readonly streams: number
  readonly startJpegDecoder: (options: Omit<JpegDecoderOptions, 'ffmpeg'>) => JpegDecoder
  readonly startSoundDecoder: (options: Omit<SoundDecoderOptions, 'ffmpeg'>) => SoundDecoder | undefined
}

export interface PictureKey {
  readonly cameraId: number
  readonly stream: StreamName
  /** At most so many pixels. */
  readonly width: number
}

interface PictureSourcesDeps {
  /** Undefined without a decoder. */
  readonly options: PictureOptions | undefined
  readonly channels: Pick<ChannelKeeper, 'hubOf' | 'device'>
  readonly log: Logger
  readonly now: () => number
}

interface Shared {
  readonly key: PictureKey
  readonly source: PictureSource
  /** Undefined if no decoder is needed. */
  readonly place: Permit | undefined
}

/** One viewer's share of a source. */
export interface SharedPictures {
  readonly pieces: WaitingPieces
  release(): void
}

/** Enough for a person to follow what happens; each one costs a JPEG of some 40 kB. */
const PICTURES_PER_SECOND = 8
const CHECK_MS = 1000

/** One decoder for all viewers of a stream in one size, as long as there is one; without a decoder, what the camera makes itself. */
export class PictureSources implements Disposable {
  readonly #deps: PictureSourcesDeps
  readonly #shared = new Map<string, Shared>()
  readonly #places
  readonly #checking: NodeJS.Timeout

  constructor(deps: PictureSourcesDeps) {
    this.#deps = deps
    this.#places = createSemaphore<'pictures'>({ overall: { concurrency: deps.options?.streams ?? 0 } })
    this.#checking = setInterval(() => this.#check(), CHECK_MS)
    this.#checking.unref()
  }

  /** `full` if pictures of too many other streams are made, and this camera makes none itself. */
  join(
    key: PictureKey,
    { hub, hears }: { readonly hub: Hub; readonly hears: boolean },
  ): SharedPictures | 'full' | 'noDecoder' {
    const decoded = `${key.cameraId} ${key.stream} ${key.width}`
    const own = `${key.cameraId} ${key.stream} own`
    const found = this.#shared.get(decoded) ?? this.#open(key, decoded)
    const shared = found ?? this.#shared.get(own) ?? this.#openOwn(key, own)
    if (shared === undefined) return this.#deps.options === undefined ? 'noDecoder' : 'full'
    const name = found === undefined ? own : decoded
    const pieces = new WaitingPieces({ hears })
    shared.source.add(pieces)
    shared.source.follow(hub)
    return {
      pieces,
      release: () => {
        shared.source.remove(pieces)
        if (shared.source.viewers > 0 || this.#shared.get(name) !== shared) return
        this.#shared.delete(name)
        close(shared)
      },
    }
  }

  #open(key: PictureKey, name: string): Shared | undefined {
    const { options, log, now } = this.#deps
    const place = this.#places.tryAcquire('pictures')
    if (!place.ok || options === undefined) return undefined
    const source = pictureSource({
      startJpegDecoder: (wanted) =>
        options.startJpegDecoder({ ...wanted, width: key.width, picturesPerSecond: PICTURES_PER_SECOND }),
      startSoundDecoder: options.startSoundDecoder,
      onComplaint: (complaint) =>
        log.warn({ cameraId: key.cameraId, complaint }, 'a decoder for pictures as JPEG ended; it starts again'),
      now,
    })
    const shared = { key, source, place: place.value }
    this.#shared.set(name, shared)
    return shared
  }

  #openOwn(key: PictureKey, name: string): Shared | undefined {
    const device = this.#deps.channels.device(key.cameraId)
    if (device === undefined) return undefined
    const source = ownPictures({ device, stream: key.stream, now: this.#deps.now })
    const shared = { key, source, place: undefined }
    this.#shared.set(name, shared)
    return shared
  }

  /** A camera whose settings were changed has another hub now. */
  #check(): void {
    for (const { key, source } of this.#shared.values()) {
      source.follow(this.#deps.channels.hubOf(key.cameraId, key.stream))
      source.check()
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#checking)
    for (const shared of this.#shared.values()) close(shared)
    this.#shared.clear()
  }
}

function close({ source, place }: Shared): void {
  source[Symbol.dispose]()
  place?.release()
}
