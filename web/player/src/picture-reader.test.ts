import { expect, test } from 'vitest'
import { PictureReader } from './picture-reader.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const part = (type: string, body: string, more = '') =>
  `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}\r\n--sightline-part\r\n`
const stream = bytesOf(
  `--sightline-part\r\n${part('image/jpeg', 'first', 'X-Taken-At: 2026-11-27T10:00:00.250Z\r\n')}${part('audio/basic', 'sound')}${part('image/jpeg', 'a\r\n\r\nb')}`,
)
const shown = (parts: ReturnType<PictureReader['push']>) =>
  parts.map(({ jpeg, wallclock }) => [new TextDecoder().decode(jpeg), wallclock])
const expected = [
  ['first', Date.UTC(2026, 10, 27, 10, 0, 0, 250)],
  ['a\r\n\r\nb', undefined],
]

test('pictures of a multipart stream come with their times, and sound between them is left out', () => {
  expect(shown(new PictureReader().push(stream))).toEqual(expected)
})

test('a stream may be cut anywhere', () => {
  for (let size = 1; size < stream.length; size++) {
    const parts = new PictureReader()
    const found = []
    for (let at = 0; at < stream.length; at += size) found.push(...shown(parts.push(stream.subarray(at, at + size))))
    expect(found).toEqual(expected)
  }
})

test('what is no such stream is refused before it fills the memory', () => {
  expect(() => new PictureReader().push(new Uint8Array(5000))).toThrow('a part has no head')
  expect(() => new PictureReader().push(bytesOf('--x\r\n\r\n'))).toThrow('does not say its length')
  expect(() => new PictureReader().push(bytesOf('Content-Length: 99999999999\r\n\r\n'))).toThrow('too long')
})
