/** Problems of one connection that didn't end it, for health pages and tests. */
export interface StreamCounters {
  packets: number
  /** Of all packets, with their headers. */
  bytes: number
  /** Packets that never arrived, by sequence numbers. */
  lostPackets: number
  /** Packets that weren't RTP, or whose payload was invalid for its format. */
  badPackets: number
  /** Pictures that were damaged, or could not be decoded because of a damaged one before. */
  droppedPictures: number
  /** Pictures shown before one that arrived earlier (B pictures). */
  reorderedPictures: number
  /** Jumps of the camera's RTP clock that our clock bridged. */
  clockJumps: number
}

export const newCounters = (): StreamCounters => ({
  packets: 0,
  bytes: 0,
  lostPackets: 0,
  badPackets: 0,
  droppedPictures: 0,
  reorderedPictures: 0,
  clockJumps: 0,
})
