import { FootageFit, type FootageProgress } from './footage-fit.ts'
import type { StreamAddress } from './stream-address.ts'

/** The socket's URL with a new ticket, for recordings from that time on; rejects if there is no ticket. */
export type TrackAddress = (time: number, stream: 'chosen' | 'smallest') => Promise<StreamAddress>

/** Which of a camera's streams its recorded pictures come from. */
export class TrackStream {
  readonly #address: TrackAddress
  readonly #fit = new FootageFit()
  #current: Pick<StreamAddress, 'stream' | 'hasSub'> = { stream: 'main', hasSub: false }
  #isKeysOnly = false

  constructor(address: TrackAddress) {
    this.#address = address
  }

  /** Small tiles of large cameras show key pictures only. */
  get isKeysOnly(): boolean {
    return this.#isKeysOnly
  }

  /** Whether the sub-stream could be shown instead. */
  get hasOther(): boolean {
    return this.#current.stream === 'main' && this.#current.hasSub
  }

  async address(time: number, stream: 'chosen' | 'smallest'): Promise<string> {
    const { href, ...current } = await this.#address(time, stream)
    this.#current = current
    this.#isKeysOnly = new URL(href).searchParams.get('pictures') === 'keys'
    return href
  }

  /** Footage of another time is loaded. */
  load(): void {
    this.#fit.load()
  }

  /** The stream to change to for the network's sake, if any; asked while footage plays. */
  next(progress: FootageProgress & { readonly isNetworkSlow: boolean }): 'main' | 'sub' | undefined {
    return progress.isNetworkSlow || this.hasOther ? this.#fit.next(progress, performance.now()) : undefined
  }
}
