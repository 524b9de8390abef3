import { describe, expect, test } from 'vitest'
import { testApi } from '../slice-testing.ts'
import { referenceLists } from './index.ts'
import { computeExpiry, offsetLabel, timeZoneList, utcOffset } from './rules.ts'
import { zoneNames } from './zone-names.ts'

const winter = Date.UTC(2026, 0, 15)
const summer = Date.UTC(2026, 6, 15)

describe('time zones', () => {
  test('offsets follow daylight saving', () => {
    expect(utcOffset('Europe/Amsterdam', winter)).toBe(3600)
    expect(utcOffset('Europe/Amsterdam', summer)).toBe(7200)
    expect(utcOffset('Asia/Kolkata', winter)).toBe(19_800)
    expect(utcOffset('America/New_York', winter)).toBe(-18_000)
    expect(utcOffset('UTC', winter)).toBe(0)
  })
  test.each([
    [3600, '(UTC+01:00)'],
    [-12_600, '(UTC-03:30)'],
    [0, '(UTC+00:00)'],
  ])('%i seconds are shown as %s', (seconds, label) => expect(offsetLabel(seconds)).toBe(label))
  test('the list goes from west to east and contains UTC', () => {
    const list = timeZoneList(winter)
    expect(list.length).toBeGreaterThan(400)
    expect(list.map((entry) => entry.utcOffset)).toEqual(list.map((entry) => entry.utcOffset).toSorted((a, b) => a - b))
    expect(list).toContainEqual({ timeZone: 'UTC', utcOffset: 0, label: '(UTC+00:00) UTC' })
  })
  test.each([
    ['de', 'Österreich', 'Mitteleuropäische Zeit', 'Moskau (Ortszeit), Russland'],
    ['en', 'Austria', 'Central European Time', 'Russia'],
    ['es', 'Austria', 'hora de Europa central', 'hora de Moscú, Rusia'],
    ['ja', 'オーストリア', '中央ヨーロッパ時間', 'モスクワ時間, ロシア'],
    ['nl', 'Oostenrijk', 'Midden-Europese tijd', 'tijd in Moskou, Rusland'],
    ['pl', 'Austria', 'czas środkowoeuropejski', 'czas: Moskwa, Rosja'],
    ['pt', 'Áustria', 'Horário da Europa Central', 'Horário Moscou, Rússia'],
    ['tr', 'Avusturya', 'Orta Avrupa Saati', 'Moskova Saati, Rusya'],
  ])('%s: countries and time zones have their names in that language', async (language, country, name, moscow) => {
    const names = await zoneNames(['Europe/Vienna', 'Europe/Moscow', 'UTC'], () => winter)(language)
    expect(names.get('Europe/Vienna')).toEqual({ place: country, name })
    expect(names.get('Europe/Moscow')?.place).toBe(moscow)
    expect(names.get('UTC')?.place).toBe('')
  })
  test('a list is cacheable until the next quarter of an hour', () => {
    expect(computeExpiry(Date.UTC(2026, 2, 29, 0, 59, 59))).toBe(Date.UTC(2026, 2, 29, 1, 0, 0))
  })
})

test('the three lists need no token; countries are in the requested language', async () => {
  await using api = await testApi({ slices: [referenceLists] })
  const zones = await api.call(undefined, 'GET timeZones', undefined, { 'accept-language': 'pl' })
  expect(zones.body.length).toBeGreaterThan(400)
  expect(zones.body).toContainEqual(
    expect.objectContaining({ timeZone: 'Europe/Moscow', place: 'czas: Moskwa, Rosja', utcOffset: 10_800 }),
  )
  expect(zones.headers.get('vary')).toBe('accept-language, origin')
  const dutch = await api.call(undefined, 'GET countries', undefined, { 'accept-language': 'nl' })
  expect(dutch.body).toHaveLength(249)
  expect(dutch.body).toContainEqual({ country: 'DE', name: 'Duitsland' })
  const languages = (await api.call(undefined, 'GET languages')).body
  expect(languages.map((entry: { language: string }) => entry.language)).toEqual([
    'de',
    'en',
    'es',
    'ja',
    'nl',
    'pl',
    'pt',
    'tr',
  ])
  expect(languages).toContainEqual({ language: 'nl', name: 'Nederlands' })
})
