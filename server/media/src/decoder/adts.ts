/** What an AudioSpecificConfig (ISO 14496-3 §1.6.2.1) says of a stream, as far as a header of ADTS has room for it. */
interface AdtsParameters {
  readonly frequencyIndex: number
  readonly channels: number
}

const HEADER_BYTES = 7
/** Explicit frequencies and objects beyond 31 don't fit into ADTS; cameras don't use them. */
const EXPLICIT_FREQUENCY = 15
const SBR_OBJECTS = [5, 29]
const AAC_LC = 2

function parseConfig(config: Uint8Array): AdtsParameters | undefined {
  const [first = 0, second = 0, third = 0] = config
  if (config.length < 2) return undefined
  const object = first >> 3
  const frequencyIndex = ((first & 7) << 1) | (second >> 7)
  const channels = (second >> 3) & 15
  // Spectral band replication names the core's object after another frequency.
  const core = SBR_OBJECTS.includes(object) ? (third >> 2) & 31 : object
  if (core !== AAC_LC || frequencyIndex === EXPLICIT_FREQUENCY || channels === 0 || channels > 7) return undefined
  return { frequencyIndex, channels }
}

/**
 * Puts the header of ADTS (ISO 14496-3 §1.A.2) before each frame of AAC, so that a decoder finds them in a stream of bytes.
 *
 * @returns undefined for AAC that ADTS can't carry.
 */
export function adtsFramer(config: Uint8Array): ((frame: Uint8Array) => Uint8Array) | undefined {
  const parameters = parseConfig(config)
  if (parameters === undefined) return undefined
  const { frequencyIndex, channels } = parameters
  return (frame) => {
    const length = HEADER_BYTES + frame.length
    const header = [
      0xff,
      0xf1,
      ((AAC_LC - 1) << 6) | (frequencyIndex << 2) | (channels >> 2),
      ((channels & 3) << 6) | ((length >> 11) & 3),
      (length >> 3) & 0xff,
      ((length & 7) << 5) | 0x1f,
      0xfc,
    ]
    return Buffer.concat([Buffer.from(header), frame])
  }
}
