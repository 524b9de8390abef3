import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamName } from '@sightline/contract/streams'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { PictureEnd, PictureSource, PictureViewer } from '../pictures/index.ts'
import { chooseStreams, fault, type OnvifCommander, type OnvifFault, takeProfilePicture } from '../source/index.ts'

export interface OwnPicturesDeps {
  readonly device: OnvifCommander
  readonly stream: StreamName
  readonly now: () => number
}

/** Cameras that are asked for more often slow down, and some of them their video, too. */
const EVERY_MS = 500
/** A camera that gives none so often in a row is away. */
const MAX_FAILURES = 6

/** The pictures that a camera makes itself (ONVIF Media §5.19), for all who look at it: two a second, in the camera's size. */
export const ownPictures = (deps: OwnPicturesDeps): PictureSource => new OwnPictures(deps)

class OwnPictures implements PictureSource {
  readonly #deps: OwnPicturesDeps
  readonly #viewers = new Set<PictureViewer>()
  readonly #stopping = new AbortController()
  /** The camera's name for the profile. */
  #profile: string | undefined
  #isRunning = false
  #ended: PictureEnd | undefined

  constructor(deps: OwnPicturesDeps) {
    this.#deps = deps
  }

  get viewers(): number {
    return this.#viewers.size
  }

  add(viewer: PictureViewer): void {
    this.#viewers.add(viewer)
    if (this.#ended !== undefined) viewer.end(this.#ended)
    if (!this.#isRunning) void this.#run(this.#stopping.signal).then((why) => this.#end(why))
    this.#isRunning = true
  }

  remove(viewer: PictureViewer): void {
    this.#viewers.delete(viewer)
  }

  /** A camera without a stream is private or gone. */
  follow(hub: unknown): void {
    if (hub === undefined) this.#end('private')
  }

  check(): void {
    // Each request has its own deadline.
  }

  [Symbol.dispose](): void {
    this.#stopping.abort()
  }

  /** Until the camera gives no more, or the signal aborts. */
  async #run(signal: AbortSignal): Promise<PictureEnd> {
    for (let failures = 0; failures < MAX_FAILURES && !signal.aborted; ) {
      const began = performance.now()
      const taken = await this.#take(signal)
      if (!taken.ok && taken.failure.isRefusal === true) return 'unsupported'
      failures = taken.ok ? 0 : failures + 1
      if (taken.ok && !signal.aborted) this.#show(taken.value.bytes)
      const rest = EVERY_MS - (performance.now() - began)
      await sleep(Math.max(0, rest), undefined, { signal }).catch(() => undefined)
    }
    return 'away'
  }

  async #take(signal: AbortSignal): Promise<Result<{ readonly bytes: Uint8Array }, OnvifFault>> {
    const { device, stream } = this.#deps
    const profile = this.#profile === undefined ? await findProfile(device, stream) : ok(this.#profile)
    if (!profile.ok) return profile
    this.#profile = profile.value
    return await takeProfilePicture(device, profile.value, signal)
  }

  #show(bytes: Uint8Array): void {
    for (const viewer of this.#viewers) viewer.push({ kind: 'picture', bytes, at: this.#deps.now() })
  }

  #end(why: PictureEnd): void {
    this.#ended = why
    for (const viewer of [...this.#viewers]) viewer.end(why)
  }
}

async function findProfile(device: OnvifCommander, stream: StreamName): Promise<Result<string, OnvifFault>> {
  if (stream === 'main') {
    const main = await device.mainProfile()
    return main.ok ? ok(main.value.token) : main
  }
  const profiles = await device.profiles()
  if (!profiles.ok) return profiles
  const sub = chooseStreams(profiles.value)?.sub
  return sub === undefined
    ? fail({ ...fault('noVideo', 'the camera has no smaller profile'), isRefusal: true })
    : ok(sub.token)
}
