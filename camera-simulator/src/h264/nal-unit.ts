/** nal_unit_type values that the simulator distinguishes (ITU-T H.264, table 7-1). */
export const nalType = { slice: 1, keySlice: 5, sei: 6, sps: 7, pps: 8, accessUnitDelimiter: 9 } as const

/** The five low bits of the first byte. */
export const getNalType = (nal: Uint8Array): number => (nal[0] ?? 0) & 0x1f

/** Cuts an Annex-B byte stream into NAL units without start codes; views into `stream`, nothing copied. */
export function splitAnnexB(stream: Buffer): Buffer[] {
  const units: Buffer[] = []
  let start = -1
  for (let at = stream.indexOf(START_CODE); at !== -1; at = stream.indexOf(START_CODE, at + 3)) {
    if (start !== -1) units.push(withoutTrailingZeros(stream.subarray(start, at)))
    start = at + 3
  }
  if (start !== -1) units.push(withoutTrailingZeros(stream.subarray(start)))
  return units.filter((unit) => unit.length > 0)
}

const START_CODE = Buffer.from([0, 0, 1])

function withoutTrailingZeros(unit: Buffer): Buffer {
  let end = unit.length
  while (end > 0 && unit[end - 1] === 0) end -= 1
  return unit.subarray(0, end)
}

/** NAL unit to raw payload: removes emulation prevention bytes (§7.4.1). */
export function toPayload(nal: Uint8Array): Uint8Array {
  const raw = new Uint8Array(nal.length)
  let length = 0
  let zeros = 0
  for (const byte of nal) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    raw[length] = byte
    length += 1
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return raw.subarray(0, length)
}

/** Raw payload to NAL unit: a 3 is put before any byte up to 3 that follows two zeros (§7.4.1). */
export function toNalUnit(raw: Uint8Array): Buffer {
  const nal = Buffer.allocUnsafe(raw.length + (raw.length >> 1) + 1)
  let length = 0
  let zeros = 0
  for (const byte of raw) {
    if (zeros >= 2 && byte <= 3) {
      nal[length] = 3
      length += 1
      zeros = 0
    }
    nal[length] = byte
    length += 1
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return nal.subarray(0, length)
}
