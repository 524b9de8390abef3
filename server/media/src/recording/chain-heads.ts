/** Which chains of this process have a new head: what is to be signed. */
import type { StreamKey } from './run-log.ts'
import type { Hour } from './segment-name.ts'
import type { SyncGroup } from './sync-group.ts'

/** The newest line of a stream's manifests. */
export interface ChainHead extends StreamKey {
  /** Of the manifest that has it. */
  readonly hour: Hour
  /** Of that manifest up to the end of the line. */
  readonly bytes: number
  /** Of the line; 64 hexadecimal digits. */
  readonly hash: string
}

const nameOf = ({ accountId, cameraId, stream }: StreamKey): string => `${accountId}/${cameraId}/${stream}`

export class ChainHeads {
  readonly #group: SyncGroup
  #changed = new Map<string, ChainHead>()
  #taken = new Map<string, ChainHead>()

  constructor(group: SyncGroup) {
    this.#group = group
  }

  note(head: ChainHead): void {
    this.#changed.set(nameOf(head), head)
  }

  /** The disk may have lost the line. */
  forget(stream: StreamKey): void {
    this.#changed.delete(nameOf(stream))
    this.#taken.delete(nameOf(stream))
  }

  /** The heads that are new since the last call, once they are on the disk. One call at a time. */
  async take(): Promise<readonly ChainHead[]> {
    this.#taken = this.#changed
    this.#changed = new Map()
    await this.#group.flush()
    return [...this.#taken.values()]
  }
}

const heads = new WeakMap<SyncGroup, ChainHeads>()

/** Of all chains on one disk. */
export function chainHeads(group: SyncGroup): ChainHeads {
  const known = heads.get(group) ?? new ChainHeads(group)
  heads.set(group, known)
  return known
}
