/** What went wrong on one connection without ending it; for health pages and tests. */
export interface StreamCounters {
  packets: number
  /** Packets that never came, by sequence numbers. */
  lostPackets: number
  /** Packets that were not RTP, or whose payload broke the rules of its format. */
  badPackets: number
  /** Pictures that were damaged, or could not be decoded because of a damaged one before. */
  droppedPictures: number
  /** Pictures that are shown before one that came earlier (B pictures). */
  reorderedPictures: number
  /** Jumps of the camera's RTP clock that were bridged by ours. */
  clockJumps: number
}

export const newCounters = (): StreamCounters => ({
  packets: 0,
  lostPackets: 0,
  badPackets: 0,
  droppedPictures: 0,
  reorderedPictures: 0,
  clockJumps: 0,
})
