import { inflateSync } from 'node:zlib'
import jsQR from 'jsqr'
import { expect, test } from 'vitest'
import { qrCode } from './qr-code.ts'

/** The pixels of a picture of one bit each without filters, as RGBA. */
function pixelsOf(dataUrl: string): { data: Uint8ClampedArray; side: number } {
  const [kind, base64 = ''] = dataUrl.split(',')
  expect(kind).toBe('data:image/png;base64')
  const png = Buffer.from(base64, 'base64')
  const side = png.readUInt32BE(16)
  const at = png.indexOf('IDAT')
  const lines = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))
  const width = 1 + Math.ceil(side / 8)
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const isWhite = ((lines[y * width + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1
      if (!isWhite) data.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3)
    }
  }
  return { data, side }
}

test.each([
  'otpauth://totp/Sightline:owner%40demo.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Sightline',
  `otpauth://totp/${'%E3%82%AB%E3%83%A1%E3%83%A9'.repeat(8)}:${'a'.repeat(128)}?secret=${'A'.repeat(32)}`,
])('a camera reads the encoded text from the picture: %s', (text) => {
  const { data, side } = pixelsOf(qrCode(text))
  expect(jsQR.default(data, side, side)?.data).toBe(text)
})
