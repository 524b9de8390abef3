import { CLIP_LIFE_MS } from '@sightline/contract/streams'
import type { Ticket } from './store.ts'

/** Files that were begun with a token in the address: players and browsers ask for one file in many ranges. */
export class BegunFiles {
  readonly #begun = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  add(file: string): void {
    for (const [key, until] of this.#begun) if (until <= this.#now()) this.#begun.delete(key)
    this.#begun.set(file, this.#now() + CLIP_LIFE_MS)
  }

  has(file: string): boolean {
    return (this.#begun.get(file) ?? 0) > this.#now()
  }
}

interface FileGrant {
  readonly ticket: Ticket
  readonly until: number
  readonly isBegun: boolean
}

/** Tickets for files that were used: they open the same file again for a while, so that a download can be resumed. */
export class FileGrants {
  /** Those that need no ticket. */
  readonly begun: BegunFiles
  readonly #granted = new Map<string, FileGrant>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
    this.begun = new BegunFiles(now)
  }

  add(sha256: Buffer, ticket: Ticket): void {
    for (const [key, { until }] of this.#granted) if (until <= this.#now()) this.#granted.delete(key)
    this.#granted.set(sha256.toString('hex'), { ticket, until: this.#now() + CLIP_LIFE_MS, isBegun: false })
  }

  begin(sha256: Buffer, till: number | undefined): void {
    const key = sha256.toString('hex')
    const granted = this.#granted.get(key)
    if (granted === undefined) return
    const ticket = till === undefined ? granted.ticket : { ...granted.ticket, till }
    this.#granted.set(key, { ...granted, ticket, isBegun: true })
  }

  find(sha256: Buffer): FileGrant | undefined {
    const granted = this.#granted.get(sha256.toString('hex'))
    return granted !== undefined && granted.until > this.#now() ? granted : undefined
  }
}
