import { isIPv4 } from 'node:net'

/**
 * The data types used here; the format has more (MaxMind DB File Format Specification 2.0,
 * https://maxmind.github.io/MaxMind-DB/).
 */
export type Datum = string | number | bigint | readonly Datum[] | { readonly [key: string]: Datum }

export interface MmdbInput {
  /** `198.51.100.0/24`, or an IPv6 network, and its data. */
  readonly networks: Readonly<Record<string, Datum>>
  /** Bits of half a node. */
  readonly recordSize?: 24 | 28 | 32
  /** 4: a tree of 32 bits. Otherwise IPv4 lies in ::/96 of the tree. */
  readonly ipVersion?: 4 | 6
}

const METADATA_MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
/** Between tree and data. */
const SEPARATOR = Buffer.alloc(16)

const TEXT = 2
const UINT32 = 6
const MAP = 7
/** Types above 7 have their own byte. */
const UINT64 = 9
const ARRAY = 11

/**
 * The control byte, the type's own byte if it has one, and the size: in the control byte below 29, in one more byte
 * below 285.
 */
function control(type: number, size: number): Buffer {
  const isExtended = type > 7
  const start = ((isExtended ? 0 : type) << 5) | Math.min(size, 29)
  return Buffer.from([start, ...(isExtended ? [type - 7] : []), ...(size < 29 ? [] : [size - 29])])
}

function numberBytes(value: bigint): Buffer {
  const hex = value.toString(16)
  return value === 0n ? Buffer.alloc(0) : Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
}

function encode(datum: Datum): Buffer {
  if (typeof datum === 'string') {
    const text = Buffer.from(datum)
    return Buffer.concat([control(TEXT, text.length), text])
  }
  if (typeof datum === 'number' || typeof datum === 'bigint') {
    const bytes = numberBytes(BigInt(datum))
    return Buffer.concat([control(typeof datum === 'bigint' ? UINT64 : UINT32, bytes.length), bytes])
  }
  if (Array.isArray(datum)) return Buffer.concat([control(ARRAY, datum.length), ...datum.map((one) => encode(one))])
  const entries = Object.entries(datum)
  return Buffer.concat([control(MAP, entries.length), ...entries.flatMap(([key, one]) => [encode(key), encode(one)])])
}

/** The bits of a network, first to last, in a tree of that version. */
function bitsOf(network: string, ipVersion: 4 | 6): readonly (0 | 1)[] {
  const [address = '', length = ''] = network.split('/')
  const isShort = isIPv4(address)
  if (!isShort && ipVersion === 4) throw new Error(`${network} has no place in a tree of IPv4`)
  const bytes = isShort ? address.split('.').map(Number) : bytesOfIPv6(address)
  const before = isShort && ipVersion === 6 ? 96 : 0
  const all = [...Array(before / 8).fill(0), ...bytes].flatMap((byte) =>
    Array.from({ length: 8 }, (_, bit): 0 | 1 => (((byte as number) >> (7 - bit)) & 1 ? 1 : 0)),
  )
  return all.slice(0, before + Number(length))
}

function bytesOfIPv6(address: string): readonly number[] {
  const groups = (text: string | undefined) => (text === undefined || text === '' ? [] : text.split(':'))
  const [front, back] = address.split('::')
  const known = [groups(front), groups(back)] as const
  const zeros = Array<string>(8 - known[0].length - known[1].length).fill('0')
  return [...known[0], ...zeros, ...known[1]].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 255]
  })
}

/** A record is another node, the number of a datum, or empty. */
type Half = { readonly node: number } | { readonly datum: number } | undefined

function treeOf(networks: readonly (readonly (0 | 1)[])[]): readonly [Half, Half][] {
  const nodes: [Half, Half][] = [[undefined, undefined]]
  networks.forEach((bits, datum) => {
    let at = 0
    bits.forEach((bit, depth) => {
      const node = nodes[at]
      if (node === undefined) throw new Error(`no node ${at}`)
      if (depth === bits.length - 1) {
        node[bit] = { datum }
        return
      }
      const next = node[bit]
      if (next !== undefined && 'node' in next) at = next.node
      else {
        at = nodes.length
        node[bit] = { node: at }
        nodes.push([undefined, undefined])
      }
    })
  })
  return nodes
}

function nodeBytes(left: number, right: number, recordSize: 24 | 28 | 32): Buffer {
  const bytes = Buffer.alloc(recordSize / 4)
  if (recordSize === 28) {
    bytes.writeUIntBE(left & 0xff_ff_ff, 0, 3)
    bytes.writeUInt8(((left >>> 24) << 4) | (right >>> 24), 3)
    bytes.writeUIntBE(right & 0xff_ff_ff, 4, 3)
  } else {
    bytes.writeUIntBE(left, 0, recordSize / 8)
    bytes.writeUIntBE(right, recordSize / 8, recordSize / 8)
  }
  return bytes
}

/** A database in the MaxMind DB format, version 2, of a few networks. For tests. */
export function mmdb({ networks, recordSize = 28, ipVersion = 6 }: MmdbInput): Buffer {
  const nodes = treeOf(Object.keys(networks).map((network) => bitsOf(network, ipVersion)))
  const data = Object.values(networks).map((datum) => encode(datum))
  const offsets = data.map((_, index) => Buffer.concat(data.slice(0, index)).length)
  const recordOf = (half: Half): number => {
    if (half === undefined) return nodes.length
    return 'node' in half ? half.node : nodes.length + SEPARATOR.length + (offsets[half.datum] ?? 0)
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_790_000_000n,
    database_type: 'Sightline-Test',
    description: { en: 'A few networks' },
    ip_version: ipVersion,
    languages: ['en'],
    node_count: nodes.length,
    record_size: recordSize,
  })
  const tree = nodes.map(([left, right]) => nodeBytes(recordOf(left), recordOf(right), recordSize))
  return Buffer.concat([...tree, SEPARATOR, ...data, METADATA_MARKER, metadata])
}
