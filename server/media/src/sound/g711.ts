/** The law by which G.711 codes a sample (ITU-T G.711). */
export type G711Codec = 'pcma' | 'pcmu'

const SAMPLES = 256

/** What each code of a law stands for, of 32,768 as full scale. */
export const g711Values: Readonly<Record<G711Codec, Int16Array>> = {
  /** ITU-T G.711, table 2: inverted bits; 3 bits of segment, 4 of step; a bias of 33 steps. */
  pcmu: Int16Array.from({ length: SAMPLES }, (_, code) => {
    const bits = ~code & 0x7f
    const magnitude = ((((bits & 0x0f) << 3) + 0x84) << (bits >> 4)) - 0x84
    return (code & 0x80) === 0 ? -magnitude : magnitude
  }),
  /** ITU-T G.711, table 1: every other bit inverted. */
  pcma: Int16Array.from({ length: SAMPLES }, (_, code) => {
    const bits = (code ^ 0x55) & 0x7f
    const segment = bits >> 4
    const step = ((bits & 0x0f) << 4) + 8
    const magnitude = segment === 0 ? step : (step + 0x1_00) << (segment - 1)
    return (code & 0x80) === 0 ? -magnitude : magnitude
  }),
}

/** For each code of one law the code of the other that is nearest to it. */
const otherLaw: Readonly<Record<G711Codec, Uint8Array>> = {
  pcmu: codesOf(g711Values.pcmu, g711Values.pcma),
  pcma: codesOf(g711Values.pcma, g711Values.pcmu),
}

function codesOf(from: Int16Array, to: Int16Array): Uint8Array {
  const distance = (value: number, code: number): number => Math.abs((to[code] ?? 0) - value)
  return Uint8Array.from(from, (value) => {
    let nearest = 0
    for (let code = 1; code < SAMPLES; code++) if (distance(value, code) <= distance(value, nearest)) nearest = code
    return nearest
  })
}

/** The same sound in the other law. */
export const toOtherLaw = (sound: Uint8Array, codec: G711Codec): Uint8Array =>
  sound.map((code) => otherLaw[codec][code] ?? 0)
