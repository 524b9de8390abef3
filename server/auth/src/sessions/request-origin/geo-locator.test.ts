import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '@sightline/platform/startup'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGeoLocator } from './index.ts'
import { type MmdbInput, mmdb } from './mmdb-testing.ts'

let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-places-'))
  file = join(folder, 'places.mmdb')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const opened = async (content: Uint8Array) => {
  await writeFile(file, content)
  return openGeoLocator(file)
}

const networks = {
  '198.51.100.0/24': {
    country: { iso_code: 'NL', names: { en: 'Netherlands' } },
    city: { names: { en: 'Amsterdam', ja: 'アムステルダム' } },
  },
  '203.0.113.128/25': { country: { iso_code: 'JP' } },
  '2001:db8::/32': { country_code: 'pl', city: 'Łódź' },
} satisfies MmdbInput['networks']

const nowhere = { isLocal: false, country: null, city: null }

describe('a database in the MaxMind DB format', () => {
  test.each([24, 28, 32] as const)('with records of %i bits returns country and city', async (recordSize) => {
    const geoLocator = await opened(mmdb({ networks, recordSize }))
    const amsterdam = { isLocal: false, country: 'NL', city: 'Amsterdam' }
    expect(geoLocator.of('198.51.100.0')).toEqual(amsterdam)
    expect(geoLocator.of('198.51.100.255')).toEqual(amsterdam)
    expect(geoLocator.of('::ffff:198.51.100.7')).toEqual(amsterdam)
    expect(geoLocator.of('203.0.113.128')).toEqual({ isLocal: false, country: 'JP', city: null })
    expect(geoLocator.of('2001:db8:1::1')).toEqual({ isLocal: false, country: 'PL', city: 'Łódź' })
  })

  test('returns nothing for addresses outside its networks', async () => {
    const geoLocator = await opened(mmdb({ networks }))
    const elsewhere = ['198.51.101.0', '203.0.113.127', '2001:db9::1', '::1:1', 'no address', null]
    expect(elsewhere.map((address) => geoLocator.of(address))).toEqual(elsewhere.map(() => nowhere))
  })

  test("isn't used for local networks", async () => {
    const geoLocator = await opened(mmdb({ networks: { '10.0.0.0/8': { country: { iso_code: 'NL' } } } }))
    expect(geoLocator.of('10.1.2.3')).toEqual({ isLocal: true, country: null, city: null })
  })

  test('with only IPv4 returns nothing for IPv6', async () => {
    // The first half of all IPv4 addresses, by their first bit.
    const geoLocator = await opened(mmdb({ networks: { '0.0.0.0/1': { country: { iso_code: 'NL' } } }, ipVersion: 4 }))
    expect(geoLocator.of('8.8.8.8')).toMatchObject({ country: 'NL' })
    expect(geoLocator.of('2001:db8::1')).toEqual(nowhere)
  })

  test('with a damaged entry returns nothing for that network and still works for others', async () => {
    const good = mmdb({ networks })
    // Type 14 is undefined in a control byte: corrupts the map of Amsterdam's network.
    const at = good.indexOf(Buffer.from('country')) - 2
    const geoLocator = await opened(
      Buffer.concat([good.subarray(0, at), Buffer.from([0x00, 0xf0]), good.subarray(at + 2)]),
    )
    expect(geoLocator.of('198.51.100.7')).toEqual(nowhere)
    expect(geoLocator.of('203.0.113.200')).toMatchObject({ country: 'JP' })
  })
})

describe('an unusable file stops the start with a message', () => {
  const refusal = (path: string): Promise<string> =>
    openGeoLocator(path).then(
      () => 'opened',
      (error: unknown) => (error instanceof StartError ? error.message : `not refused: ${error}`),
    )

  test("if it doesn't exist", async () => {
    const missing = join(folder, 'missing.mmdb')
    expect(await refusal(missing)).toBe(
      `SIGHTLINE_PLACE_DATABASE: ${missing} can't be read (ENOENT): expected a database in the MaxMind DB format (.mmdb).`,
    )
    expect(await refusal(folder)).toContain("can't be read (EISDIR)")
  })

  const good = mmdb({ networks })
  const cut = Array.from({ length: good.length }, (_, length) => length)
  test.each<[string, readonly Uint8Array[]]>([
    ['empty', [Buffer.alloc(0)]],
    [
      'something else',
      [Buffer.from('<html>Sign in to download</html>'), Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(4096)],
    ],
    ['truncated at any point', cut.map((length) => good.subarray(0, length))],
    ['without its beginning', [good.subarray(100), good.subarray(-100)]],
    [
      'of another version of the format',
      [Buffer.from(good.toString('latin1').replace('major_version\xc1\x02', 'major_version\xc1\x03'), 'latin1')],
    ],
  ])('if it is %s', async (_, contents) => {
    for (const content of contents) {
      await writeFile(file, content)
      expect([content.length, await refusal(file)]).toEqual([
        content.length,
        `SIGHTLINE_PLACE_DATABASE: ${file} is not a complete database in the MaxMind DB format (.mmdb): download it again and unpack it.`,
      ])
    }
  })
})
