import type { StreamName } from '@sightline/contract/streams'
import { type LivePackager, livePackager } from '../hls/index.ts'
import type { Hub, MemoryBudget } from '../hub/index.ts'
import type { ChannelKeeper } from './channel-keeper.ts'

/** A live stream that is cut into segments while it has viewers. */
export interface LiveSource {
  readonly packager: LivePackager
  release(): void
}

interface LiveSourceDeps {
  readonly channels: Pick<ChannelKeeper, 'hubOf'>
  readonly memory: MemoryBudget
  readonly now: () => number
}

interface LiveKey {
  readonly cameraId: number
  readonly stream: StreamName
  readonly sound: 'allowed' | 'withheld'
}

interface Shared {
  readonly key: LiveKey
  readonly packager: LivePackager
  users: number
}

/** One packager for all viewers of a stream who may hear the same. */
export class LiveSources implements Disposable {
  readonly #deps: LiveSourceDeps
  readonly #shared = new Map<string, Shared>()

  constructor(deps: LiveSourceDeps) {
    this.#deps = deps
  }

  join(key: LiveKey, hub: Hub): LiveSource {
    const name = `${key.cameraId} ${key.stream} ${key.sound}`
    const known = this.#shared.get(name)
    const { memory, now } = this.#deps
    const shared = known ?? { key, packager: livePackager({ hub, sound: key.sound, memory, now }), users: 0 }
    shared.users++
    shared.packager.follow(hub)
    this.#shared.set(name, shared)
    let isHeld = true
    return {
      packager: shared.packager,
      release: () => {
        if (!isHeld) return
        isHeld = false
        if (--shared.users > 0) return
        shared.packager[Symbol.dispose]()
        if (this.#shared.get(name) === shared) this.#shared.delete(name)
      },
    }
  }

  /** A camera whose settings were changed has another hub now. */
  refresh(): void {
    for (const { key, packager } of this.#shared.values())
      packager.follow(this.#deps.channels.hubOf(key.cameraId, key.stream))
  }

  [Symbol.dispose](): void {
    for (const { packager } of this.#shared.values()) packager[Symbol.dispose]()
    this.#shared.clear()
  }
}
