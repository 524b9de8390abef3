import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CameraFault } from '../camera-fault.ts'
import { MAX_HEADER_BYTES, parseStatus, RtspFraming, type RtspMessage } from './rtsp-framing.ts'

type Event = { readonly packet: string; readonly channel: number } | { readonly message: RtspMessage }

function collect(): { framing: RtspFraming; events: Event[] } {
  const events: Event[] = []
  const framing = new RtspFraming({
    packet: (channel, bytes) => events.push({ channel, packet: Buffer.from(bytes).toString('hex') }),
    message: (message) => events.push({ message }),
  })
  return { framing, events }
}

/** Feeds bytes split at the given positions. */
function feed(framing: RtspFraming, bytes: Uint8Array, cuts: readonly number[] = []): CameraFault | undefined {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  for (const [index, end] of places.entries()) {
    const fault = framing.feed(bytes.slice(places[index - 1] ?? 0, end))
    if (fault !== undefined) return fault
  }
  return undefined
}

const frame = (channel: number, payload: Uint8Array): Uint8Array =>
  Uint8Array.of(0x24, channel, payload.length >> 8, payload.length & 0xff, ...payload)

const text = (lines: string): Uint8Array => new TextEncoder().encode(lines)

const reply = (body: string, cseq: number): Uint8Array =>
  text(`RTSP/1.0 200 OK\r\nCSeq: ${cseq}\r\nContent-Length: ${text(body).length}\r\n\r\n${body}`)

describe('packets and replies', () => {
  test('are complete, however the bytes are split', () => {
    const piece = fc.oneof(
      fc.tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 300 })).map(([channel, payload]) => ({
        bytes: frame(channel, payload),
        event: { channel, packet: Buffer.from(payload).toString('hex') },
      })),
      fc.tuple(fc.string({ maxLength: 100, unit: 'grapheme' }), fc.nat({ max: 9999 })).map(([body, cseq]) => ({
        bytes: reply(body, cseq),
        event: { message: expect.objectContaining({ startLine: 'RTSP/1.0 200 OK', body }) },
      })),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 40 }), (pieces, cuts) => {
        const { framing, events } = collect()
        expect(feed(framing, Buffer.concat(pieces.map((one) => one.bytes)), cuts)).toBeUndefined()
        expect(events).toEqual(pieces.map((one) => one.event))
      }),
      { numRuns: 400, seed: 1 },
    )
  })

  test('are complete even when bytes arrive one by one', () => {
    const { framing, events } = collect()
    const bytes = Buffer.concat([reply('v=0', 1), frame(0, new Uint8Array(65_535).fill(7)), reply('', 2)])
    expect(
      feed(
        framing,
        bytes,
        Array.from({ length: bytes.length }, (_, at) => at),
      ),
    ).toBeUndefined()
    expect(events.map((event) => ('packet' in event ? event.packet.length : event.message.body))).toEqual([
      'v=0',
      131_070,
      '',
    ])
  })

  test('an empty line after a body, bare line feeds and repeated headers are accepted', () => {
    const { framing, events } = collect()
    expect(
      feed(
        framing,
        text('\r\n\r\nRTSP/1.0 401 No\nWWW-Authenticate: Basic\nwww-authenticate:  Digest x\nnonsense\n\n'),
      ),
    ).toBeUndefined()
    expect(events).toEqual([
      {
        message: {
          startLine: 'RTSP/1.0 401 No',
          headers: new Map([['www-authenticate', ['Basic', 'Digest x']]]),
          body: '',
        },
      },
    ])
  })
})

describe('broken framing', () => {
  test.each([
    ['a byte that starts nothing', Uint8Array.of(0x01), 'desync'],
    ['lower case', text('http'), 'desync'],
    ['an endless header', new Uint8Array(MAX_HEADER_BYTES + 1).fill(0x41), 'badReply'],
    ['a long header', text(`RTSP/1.0 200 OK\r\nX: ${'x'.repeat(MAX_HEADER_BYTES)}\r\n\r\n`), 'badReply'],
    ['a huge body', text('RTSP/1.0 200 OK\r\nContent-Length: 65537\r\n\r\n'), 'badReply'],
    ['a body with a negative length', text('RTSP/1.0 200 OK\r\nContent-Length: -1\r\n\r\n'), 'badReply'],
    ['a body without a length', text('RTSP/1.0 200 OK\r\nContent-Length: many\r\n\r\n'), 'badReply'],
  ])('%s gets its own error', (_, bytes, kind) => {
    expect(feed(collect().framing, bytes)?.kind).toBe(kind)
    expect(
      feed(
        collect().framing,
        bytes,
        Array.from({ length: 50 }, (_none, at) => at * 997),
      )?.kind,
    ).toBe(kind)
  })

  test('a header’s value has no carriage return, which would begin another header where it is sent back', () => {
    const { framing, events } = collect()
    feed(
      framing,
      text('RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\nWWW-Authenticate: Digest nonce="a\rX: b\0", realm="c"\r\n\r\n'),
    )
    const headers = events.flatMap((event) => ('message' in event ? [event.message.headers] : []))
    expect(headers.map((each) => each.get('www-authenticate'))).toEqual([['Digest nonce="a X: b ", realm="c"']])
  })

  test('any bytes give events or an error, and little memory is kept', () => {
    const start = fc.constantFrom(
      new Uint8Array(0),
      text('RTSP/1.0 200 OK\r\n'),
      frame(0, new Uint8Array(20)),
      Uint8Array.of(0x24),
    )
    fc.assert(
      fc.property(
        start,
        fc.uint8Array({ maxLength: 2000 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (head, tail, cuts) => {
          const { framing, events } = collect()
          feed(framing, Buffer.concat([head, tail]), cuts)
          expect(events.length).toBeLessThanOrEqual(head.length + tail.length)
        },
      ),
      { numRuns: 3000, seed: 1 },
    )
  })
})

test('a reply has a status, a request from the camera has none', () => {
  const message = (startLine: string): RtspMessage => ({ startLine, headers: new Map(), body: '' })
  expect(parseStatus(message('RTSP/1.0 200 OK'))).toBe(200)
  expect(parseStatus(message('RTSP/1.0 404'))).toBe(404)
  for (const line of ['OPTIONS * RTSP/1.0', 'RTSP/1.0 2000 OK', 'HTTP/1.1 200 OK', 'RTSP/1.0 xx']) {
    expect(parseStatus(message(line)), line).toBeUndefined()
  }
})
