/** What all recorders of a process have written since it began. */
export interface RecordingCounters {
  pictures: number
  /** Bytes by which files grew, envelopes and headers among them. */
  bytes: number
}

export const newRecordingCounters = (): RecordingCounters => ({ pictures: 0, bytes: 0 })
