import type { TrackConfig } from '../frame/index.ts'
import { type SentUnit, type SessionAnchor, TrackSender } from './track-sender.ts'

export interface SetUpTrack {
  /** In the description. */
  readonly index: number
  readonly track: TrackConfig
  readonly channels: readonly [number, number]
  readonly url: string
}

/** The tracks that a client has set up. */
export class TrackSenders {
  readonly #set: readonly SetUpTrack[]
  #senders = new Map<number, TrackSender>()
  /** Whether packets have the extension of ONVIF. */
  readonly isReplay: boolean

  constructor(set: readonly SetUpTrack[], isReplay: boolean) {
    this.#set = set
    this.isReplay = isReplay
    this.renew()
  }

  /** After their end, tracks have other sources (RFC 3550 §6.6). */
  renew(): void {
    this.#senders = new Map(
      this.#set.map(({ index, track, channels }) => [index, new TrackSender(track, index, channels)]),
    )
  }

  /** `RTP-Info`: which packet is the first of each track, and the RTP time of a time of the session (RFC 2326 §12.33). */
  infoAt(time: number): string {
    const infos = this.#set.flatMap(({ index, url }) => {
      const sender = this.#senders.get(index)
      return sender === undefined ? [] : [`url=${url};seq=${sender.sequence};rtptime=${sender.timestampAt(time)}`]
    })
    return infos.join(',')
  }

  reportSoon(): void {
    for (const sender of this.#senders.values()) sender.reportSoon()
  }

  /** Nothing for a track that isn't set up. */
  write(index: number, unit: SentUnit, anchor: SessionAnchor): readonly Uint8Array[] {
    return this.#senders.get(index)?.write(unit, anchor) ?? []
  }

  end(time: number, anchor: SessionAnchor): readonly Uint8Array[] {
    return [...this.#senders.values()].flatMap((sender) => sender.end(time, anchor))
  }
}
