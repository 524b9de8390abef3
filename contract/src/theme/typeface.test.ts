import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { typefaceCss } from './typeface.ts'

const folder = resolve(import.meta.dirname, '../../../web/kit/typeface/assets')
const files = readdirSync(folder).filter((name) => name.endsWith('.woff2'))
const bytes = (name: string): Buffer => readFileSync(resolve(folder, name))

test('every typeface file that the styles name exists, and its name contains its hash', () => {
  const named = [...typefaceCss.matchAll(/url\(\/assets\/([^)]+)\)/g)].map(([, name]) => name)
  expect(named.toSorted()).toEqual(files.toSorted())
  for (const name of files) expect(name).toContain(createHash('sha256').update(bytes(name)).digest('hex').slice(0, 12))
})

test('the typeface of all European languages takes at most 60 KiB', () => {
  const total = files.map((name) => bytes(name).length).reduce((sum, size) => sum + size, 0)
  expect(total).toBeLessThanOrEqual(60 * 1024)
})

test('the typeface contains every letter of the supported European languages', () => {
  const ranges = [...typefaceCss.matchAll(/unicode-range:([^}]+)/g)]
    .flatMap(([, list = '']) => list.split(','))
    .map((range) =>
      range
        .slice(2)
        .split('-')
        .map((code) => Number.parseInt(code, 16)),
    )
  const isThere = (letter: string) => {
    const code = letter.codePointAt(0) ?? 0
    return ranges.some(([first = 0, last = first]) => code >= first && code <= last)
  }
  const letters = 'ąćęłńóśźżĄĆĘŁŃÓŚŹŻ çğıöşüÇĞİÖŞÜ äöüßÄÖÜẞ ñ¿¡áéíóúÁÉÍÓÚ ãõâêôàÃÕÂÊÔÀ ëïijIJ €₺ – — “” ‘’ „ …'
  expect([...letters].filter((letter) => !isThere(letter))).toEqual([])
})
