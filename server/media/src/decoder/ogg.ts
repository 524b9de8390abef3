/** Opus in Ogg (RFC 3533, RFC 7845), a page for each packet: no decoder reads Opus without a container. */

const BEGINS = 2
const SERIAL = 1
const POLYNOMIAL = 0x04_c1_1d_b7
/** Opus always counts in 48 kHz. */
const SAMPLES_PER_PACKET = 960

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80_00_00_00 ? (crc << 1) ^ POLYNOMIAL : crc << 1
  return crc >>> 0
})

const crcOf = (bytes: Uint8Array): number =>
  bytes.reduce((crc, byte) => ((crc << 8) ^ (crcTable[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0, 0)

/** Numbers and header pages first, then each packet. @param head OpusHead (RFC 7845 §5.1). */
export function oggFramer(head: Uint8Array): {
  readonly start: Uint8Array
  readonly frame: (packet: Uint8Array) => Uint8Array
} {
  let sequence = 0
  let granule = 0n
  const page = (packet: Uint8Array, flags: number): Uint8Array => {
    const lacing = [...new Array<number>(Math.floor(packet.length / 255)).fill(255), packet.length % 255]
    const header = Buffer.alloc(27 + lacing.length)
    header.write('OggS', 0, 'latin1')
    header.writeUInt8(flags, 5)
    header.writeBigUInt64LE(granule, 6)
    header.writeUInt32LE(SERIAL, 14)
    header.writeUInt32LE(sequence++, 18)
    header.writeUInt8(lacing.length, 26)
    header.set(lacing, 27)
    const bytes = Buffer.concat([header, packet])
    bytes.writeUInt32LE(crcOf(bytes), 22)
    return bytes
  }
  const tags = Buffer.concat([Buffer.from('OpusTags', 'latin1'), Buffer.alloc(8)])
  return {
    start: Buffer.concat([page(head, BEGINS), page(tags, 0)]),
    frame(packet) {
      granule += BigInt(SAMPLES_PER_PACKET)
      return page(packet, 0)
    },
  }
}
