import { crc32, deflateSync } from 'node:zlib'
import { brandTheme } from '@sightline/contract/theme'
import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ownPicture } from './index.ts'
import {
  file,
  internetOnly,
  type PictureReply,
  redirect,
  startPictureHost,
  thisMachine,
} from './picture-host-testing.ts'
import { reencode } from './reencode.ts'

const SECRET = 'taken at 52.37 N 4.89 E'
const UNREACHABLE = expect.stringContaining('Couldn’t download the picture')

function pngOf(width: number, height: number, [red, green, blue, alpha] = [200, 30, 30, 255]): Buffer {
  const png = new PNG({ width, height })
  for (let at = 0; at < png.data.length; at += 4) png.data.set([red, green, blue, alpha].map(Number), at)
  return PNG.sync.write(png)
}

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(12 + data.length)
  whole.writeUInt32BE(data.length, 0)
  whole.write(type, 4, 'latin1')
  data.copy(whole, 8)
  whole.writeUInt32BE(crc32(whole.subarray(4, -4)), whole.length - 4)
  return whole
}

const SIGNATURE = pngOf(1, 1).subarray(0, 8)

/** Of eight bits a color, with alpha. */
function header(width: number, height: number, isInterlaced = false): Buffer {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, isInterlaced ? 1 : 0])
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  return chunk('IHDR', data)
}

const pngWith = (...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([SIGNATURE, ...chunks, chunk('IEND', Buffer.alloc(0))])

const picked = (address: string): PNG => PNG.sync.read(Buffer.from(address.split(',')[1] ?? '', 'base64'))

describe('downloading', () => {
  test('a picture is downloaded once and re-encoded, without metadata or appended data', async () => {
    const plain = pngOf(20, 10)
    const noted = Buffer.concat([
      plain.subarray(0, 33),
      chunk('tEXt', Buffer.from(`Comment\0${SECRET}`)),
      plain.subarray(33),
      Buffer.from(`<script>${SECRET}</script>`),
    ])
    await using host = await startPictureHost({ '/logo': file(noted, 'text/html') })
    const own = await ownPicture(`${host.origin}/logo`, thisMachine)
    if (!own.ok) throw new Error(own.failure)
    expect(host.asked).toEqual(['/logo'])
    expect(z.parse(brandTheme.def.shape.logo, own.value)).toMatch(/^data:image\/png;base64,/)
    expect(Buffer.from(own.value.split(',')[1] ?? '', 'base64').toString('latin1')).not.toContain(SECRET)
    const { width, height, data } = picked(own.value)
    expect([width, height, [...data.subarray(0, 4)]]).toEqual([20, 10, [200, 30, 30, 255]])
  })

  test('hosts on this machine or in a private network are never contacted', async () => {
    await using host = await startPictureHost({ '/logo': file(pngOf(4, 4)) })
    const { port } = new URL(host.origin)
    for (const name of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '10.0.0.1',
      '169.254.169.254',
    ]) {
      expect(await ownPicture(`https://${name}:${port}/logo`, internetOnly)).toEqual({
        ok: false,
        failure: UNREACHABLE,
      })
    }
    expect(host.asked).toEqual([])
  })

  test('redirects are checked like the first address, and at most three are followed', async () => {
    await using host = await startPictureHost({
      '/private': redirect('https://10.0.0.1/logo'),
      '/plain': redirect('http://127.0.0.1/logo'),
      '/3': redirect('/2'),
      '/2': redirect('/1'),
      '/1': redirect('/0'),
      '/0': file(pngOf(4, 4)),
      '/4': redirect('/3'),
    })
    expect((await ownPicture(`${host.origin}/3`, thisMachine)).ok).toBe(true)
    for (const path of ['/private', '/plain', '/4']) {
      expect(await ownPicture(`${host.origin}${path}`, thisMachine)).toEqual({ ok: false, failure: UNREACHABLE })
    }
  })

  const endless: PictureReply = (_req, res) => {
    res.writeHead(200)
    const more = () => void (res.writable && res.write(Buffer.alloc(65_536), more))
    more()
  }
  test('an endless file is stopped at 1 MiB, and a silent host times out', async () => {
    await using host = await startPictureHost({ '/endless': endless, '/silent': () => undefined })
    const tooLarge = { ok: false, failure: 'The picture is larger than 1 MiB. Use a smaller file.' }
    expect(await ownPicture(`${host.origin}/endless`, thisMachine)).toEqual(tooLarge)
    const silent = ownPicture(`${host.origin}/silent`, { ...thisMachine, timeoutMs: 300 })
    expect(await silent).toEqual({ ok: false, failure: UNREACHABLE })
  })

  test('a host without a trusted certificate is refused', async () => {
    await using host = await startPictureHost({ '/logo': file(pngOf(4, 4)) })
    const { ca: _, ...publicAuthorities } = thisMachine
    expect(await ownPicture(`${host.origin}/logo`, publicAuthorities)).toEqual({ ok: false, failure: UNREACHABLE })
  })
})

describe('pictures', () => {
  const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  test.each([
    ['an SVG', Buffer.from(svg), /^SVG pictures aren’t supported/],
    ['a web page', Buffer.from('<!doctype html><script>alert(1)</script>'), /Use a PNG or JPEG file/],
    ['nothing', Buffer.alloc(0), /Use a PNG or JPEG file/],
    ['a truncated picture', pngOf(40, 40).subarray(0, 50), /Use a PNG or JPEG file/],
    [
      'a picture of 30,000 pixels a side',
      pngWith(header(30_000, 30_000)),
      /30000 × 30000 pixels. Use one of at most 2000/,
    ],
    [
      'a picture that understates its size',
      pngWith(header(4, 4, true), chunk('IDAT', deflateSync(Buffer.alloc(50_000_000)))),
      /Use a PNG or JPEG file/,
    ],
    ['a truncated JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), /Use a PNG or JPEG file/],
  ])('%s is refused with a message', (_, content, sentence) => {
    expect(reencode(content)).toEqual({ ok: false, failure: expect.stringMatching(sentence) })
  })

  test('a second header doesn’t change the checked size', () => {
    const whole = pngOf(4, 4)
    const made = reencode(Buffer.concat([whole.subarray(0, 33), header(60_000, 1), whole.subarray(33)]))
    expect(made.ok && PNG.sync.read(made.value).width).toBe(4)
  })

  test('a JPEG becomes a PNG', () => {
    const data = Buffer.alloc(16 * 8 * 4, 255)
    const made = reencode(jpeg.encode({ width: 16, height: 8, data }, 90).data)
    if (!made.ok) throw new Error(made.failure)
    expect(PNG.sync.read(made.value)).toMatchObject({ width: 16, height: 8 })
  })

  test('a large picture is scaled to twice the size that a logo needs, and transparent pixels lose their color', () => {
    const png = new PNG({ width: 1600, height: 400 })
    for (let at = 0; at < png.data.length; at += 4)
      png.data.set((at / 4) % 2 === 0 ? [0, 0, 255, 255] : [255, 255, 255, 0], at)
    const made = reencode(PNG.sync.write(png))
    if (!made.ok) throw new Error(made.failure)
    const { width, height, data } = PNG.sync.read(made.value)
    expect([width, height, [...data.subarray(0, 4)]]).toEqual([800, 200, [0, 0, 255, 128]])
  })

  test('a picture that stays too large is refused: a theme can store 64 KiB', () => {
    const png = new PNG({ width: 400, height: 240 })
    for (let at = 0; at < png.data.length; at += 1) png.data[at] = (Math.imul(at, 2_654_435_761) >>> 13) & 255
    expect(reencode(PNG.sync.write(png))).toEqual({ ok: false, failure: expect.stringContaining('too detailed') })
  })

  test('an embedded picture is re-encoded too, and a path on this host stays', async () => {
    const own = await ownPicture(`data:image/webp;base64,${pngOf(6, 3).toString('base64')}`, internetOnly)
    expect(own.ok && picked(own.value).width).toBe(6)
    expect(await ownPicture(`data:image/svg+xml,${encodeURIComponent(svg)}`, internetOnly)).toMatchObject({ ok: false })
    expect(await ownPicture('data:image/png,%zz', internetOnly)).toMatchObject({ ok: false })
    expect(await ownPicture('/logo.svg', internetOnly)).toEqual({ ok: true, value: '/logo.svg' })
  })
})
