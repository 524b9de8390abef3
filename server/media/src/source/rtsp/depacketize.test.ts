import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packetizeH264, packetizeH265 } from '../../codec/index.ts'
import { type DepacketizeAudio, depacketizeAac, wholePayload } from './depacketize-audio.ts'
import { type Depacketize, depacketizeH264, depacketizeH265 } from './depacketize-video.ts'
import { MAX_ACCESS_UNIT_BYTES, NalWriter } from './nal-writer.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
const hex = (units: readonly Uint8Array[]): string[] => units.map((unit) => Buffer.from(unit).toString('hex'))

/** The units in these payloads; undefined as soon as one of them is refused. */
function read(depacketize: Depacketize, payloads: readonly Uint8Array[]): string[] | undefined {
  const writer = new NalWriter()
  return payloads.every((payload) => depacketize(payload, writer)) ? hex(writer.units) : undefined
}

describe('H.264 (RFC 6184)', () => {
  test.each([
    ['single unit', ['6588aabb'], ['6588aabb']],
    ['STAP-A', ['78000267420003680011'], ['6742', '680011']],
    ['STAP-A with an empty unit', ['780000'], []],
    ['FU-A', ['7c8588', '7c0599', '7c45aa'], ['658899aa']],
    ['FU-A in one piece with both bits', ['7cc588'], ['6588']],
  ])('%s', (_, payloads, units) => {
    expect(read(depacketizeH264, payloads.map(bytes))).toEqual(units)
  })

  test.each([
    ['nothing', ['']],
    ['FU-A without its start', ['7c0599']],
    ['FU-A started twice', ['7c8588', '7c8588']],
    ['another unit inside FU-A', ['7c8588', '6588']],
    ['STAP-A inside FU-A', ['7c8588', '7800026742']],
    ['a fragment without header', ['7c']],
    ['STAP-A with a size beyond its end', ['78000367']],
    ['STAP-A with a remainder', ['7800016700']],
    ['STAP-B', ['790000000167']],
    ['MTAP16', ['7a00']],
    ['FU-B', ['7d850000aa']],
    ['an undefined type', ['7f00']],
  ])('%s is refused', (_, payloads) => {
    expect(read(depacketizeH264, payloads.map(bytes))).toBeUndefined()
  })
})

describe('H.265 (RFC 7798)', () => {
  test.each([
    ['single unit', ['2601af'], ['2601af']],
    ['AP', ['600100034001aa0003420100'], ['4001aa', '420100']],
    ['FU', ['62019388', '62011399', '620153aa'], ['26018899aa']],
  ])('%s', (_, payloads, units) => {
    expect(read(depacketizeH265, payloads.map(bytes))).toEqual(units)
  })

  test.each([
    ['nothing', ['']],
    ['a header alone', ['2601']],
    ['FU without its start', ['62011399']],
    ['AP with a size beyond its end', ['6001000540']],
    ['PACI', ['6401000000']],
  ])('%s is refused', (_, payloads) => {
    expect(read(depacketizeH265, payloads.map(bytes))).toBeUndefined()
  })
})

const nalOf = (header: readonly number[]) =>
  fc
    .oneof(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.uint8Array({ minLength: 1, maxLength: 3000 }))
    .map((body) => Uint8Array.of(...header, ...body))

test.each([
  ['H.264', packetizeH264, depacketizeH264, [0x65]],
  ['H.265', packetizeH265, depacketizeH265, [0x26, 1]],
] as const)('%s pictures are restored exactly, with any packet size', (_, packetize, depacketize, header) => {
  fc.assert(
    fc.property(
      fc.array(nalOf(header), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 10, max: 1400 }),
      (nals, maxPayload) => {
        const payloads = packetize(nals, maxPayload).map((packet) => packet.payload)
        expect(read(depacketize, payloads)).toEqual(hex(nals))
      },
    ),
    { numRuns: 300, seed: 1 },
  )
})

test.each([
  ['H.264', depacketizeH264],
  ['H.265', depacketizeH265],
] as const)('%s: any payloads give no more bytes than they contain', (_, depacketize) => {
  const payload = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc
      .tuple(fc.constantFrom(0x78, 0x7c, 0x60, 0x62), fc.uint8Array({ maxLength: 60 }))
      .map(([first, rest]) => Uint8Array.of(first, ...rest)),
  )
  fc.assert(
    fc.property(fc.array(payload, { maxLength: 30 }), (payloads) => {
      const writer = new NalWriter()
      for (const one of payloads) depacketize(one, writer)
      const given = payloads.reduce((sum, one) => sum + one.length, 0)
      expect(writer.units.reduce((sum, unit) => sum + unit.length, 0)).toBeLessThanOrEqual(given)
    }),
    { numRuns: 3000, seed: 1 },
  )
})

describe('the writer', () => {
  test('refuses a picture larger than 8 MiB and accepts the next one', () => {
    const writer = new NalWriter()
    writer.begin()
    const piece = new Uint8Array(65_000)
    for (let given = 0; given <= MAX_ACCESS_UNIT_BYTES; given += piece.length) writer.append(piece)
    writer.end()
    expect(writer.overflowed).toBe(true)
    expect(writer.take()).toEqual([])
    writer.whole(bytes('6588'))
    expect(hex(writer.take())).toEqual(['6588'])
  })

  test('refuses a picture with very many units', () => {
    const writer = new NalWriter()
    for (let i = 0; i < 100_000; i++) writer.whole(bytes('01'))
    expect(writer.overflowed).toBe(true)
    expect(writer.units.length).toBeLessThanOrEqual(2048)
  })

  test('never changes what it has returned', () => {
    const writer = new NalWriter()
    const given = Array.from({ length: 500 }, (_, number) => {
      writer.whole(new Uint8Array(1000).fill(number & 0xff))
      return writer.take()
    })
    for (const [number, [unit]] of given.entries()) expect(unit?.every((byte) => byte === (number & 0xff))).toBe(true)
  })
})

describe('AAC (RFC 3640)', () => {
  const hbr = depacketizeAac({ sizeLength: 13, indexLength: 3, indexDeltaLength: 3 })
  const frames = (payload: string, by: DepacketizeAudio | undefined = hbr) =>
    by?.(bytes(payload))?.map((frame) => [Buffer.from(frame.bytes).toString('hex'), frame.offset])

  test("one frame, or several with a frame's time between them", () => {
    expect(frames('00100018aabbcc')).toEqual([['aabbcc', 0]])
    expect(frames('002000100008aabbcc')).toEqual([
      ['aabb', 0],
      ['cc', 1024],
    ])
  })

  test('a frame in several packets is returned with the last', () => {
    expect(frames('00100030aabb')).toEqual([])
    expect(frames('00100030ccdd')).toEqual([])
    expect(frames('00100030eeff')).toEqual([['aabbccddeeff', 0]])
    expect(frames('00100008aa'), 'and the next is whole again').toEqual([['aa', 0]])
  })

  test.each([[''], ['0000'], ['0010'], ['00100000'], ['0011000800aa'], ['0020001000'], ['ffff0008aa'], ['0010fff8']])(
    '%s is refused',
    (payload) => {
      expect(frames(payload)).toBeUndefined()
    },
  )

  test('other packing modes are not offered', () => {
    expect(depacketizeAac({ sizeLength: 0, indexLength: 0, indexDeltaLength: 0 })).toBeUndefined()
    expect(depacketizeAac({ sizeLength: 13, indexLength: 3, indexDeltaLength: 2 })).toBeUndefined()
    const low = depacketizeAac({ sizeLength: 6, indexLength: 2, indexDeltaLength: 2 })
    expect(frames('000808aabb', low)).toEqual([['aabb', 0]])
  })

  test('any payloads give frames within their bytes, and little is kept', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 }), (payloads) => {
        const by = depacketizeAac({ sizeLength: 13, indexLength: 3, indexDeltaLength: 3 })
        const given = payloads.reduce((sum, one) => sum + one.length, 0)
        const got = payloads.flatMap((payload) => by?.(payload) ?? [])
        expect(got.reduce((sum, frame) => sum + frame.bytes.length, 0)).toBeLessThanOrEqual(given)
      }),
      { numRuns: 2000, seed: 1 },
    )
  })
})

test('G.711 and Opus: the payload is the frame', () => {
  expect(wholePayload(bytes('d5d5'))).toEqual([{ bytes: bytes('d5d5'), offset: 0 }])
  expect(wholePayload(new Uint8Array(0))).toBeUndefined()
})
