import { searchOptions } from '@sightline/kit'
import { describe, expect, it } from 'vitest'
import { offsetText, zoneInWords, zoneLabel, zoneOffset } from './zone-label.ts'
import { zoneOptions } from './zone-options.ts'

describe('time zones', () => {
  const winter = new Date('2026-01-15T12:00:00Z')

  it.each([
    [3600, 'UTC+01:00'],
    [-12_600, 'UTC-03:30'],
    [0, 'UTC+00:00'],
    [20_700, 'UTC+05:45'],
  ])('%i seconds are written %s', (seconds, text) => {
    expect(offsetText(seconds)).toBe(text)
  })

  it('have the offset of that day', () => {
    expect(zoneOffset('Europe/Amsterdam', winter)).toBe(3600)
    expect(zoneOffset('Europe/Amsterdam', new Date('2026-07-15T12:00:00Z'))).toBe(7200)
    expect(zoneOffset('America/St_Johns', winter)).toBe(-12_600)
    expect(zoneLabel('America/New_York', winter)).toBe('(UTC-05:00) America/New York')
    expect(zoneLabel('Mars/Olympus', winter)).toBe('Mars/Olympus')
  })

  it('are listed from west to east', () => {
    const entry = (timeZone: string, utcOffset: number) => ({ timeZone, utcOffset, label: '', place: '', name: '' })
    const list = zoneOptions([entry('Asia/Tokyo', 32_400), entry('Europe/Paris', 3600), entry('Africa/Lagos', 3600)])
    expect(list.map((option) => option.label)).toEqual(['Africa/Lagos', 'Europe/Paris', 'Asia/Tokyo'])
    expect(list[0]?.keywords?.split(' ')).toContain('utc+1')
  })

  it('are found by their modern names, even if the list has older ones', () => {
    const list = zoneOptions([
      { timeZone: 'Asia/Katmandu', utcOffset: 20_700, label: '', place: '', name: '' },
      { timeZone: 'Asia/Tokyo', utcOffset: 32_400, label: '', place: '', name: '' },
    ])
    expect(searchOptions(list, 'kathmandu').map(({ value }) => value)).toEqual(['Asia/Katmandu'])
  })

  it.each([
    ['Österreich', 'Europe/Vienna'],
    ['osterr', 'Europe/Vienna'],
    ['Moskau', 'Europe/Moscow'],
    ['Mitteleuropäische', 'Europe/Vienna'],
    ['vienna', 'Europe/Vienna'],
    ['America/New_York', 'America/New_York'],
    ['-5', 'America/New_York'],
  ])('are found by place names: %s', (typed, timeZone) => {
    const list = zoneOptions([
      {
        timeZone: 'America/New_York',
        utcOffset: -18_000,
        label: '',
        place: 'Vereinigte Staaten',
        name: 'Ostküstenzeit',
      },
      { timeZone: 'Europe/Vienna', utcOffset: 3600, label: '', place: 'Österreich', name: 'Mitteleuropäische Zeit' },
      { timeZone: 'Europe/Moscow', utcOffset: 10_800, label: '', place: 'Moskau (Ortszeit), Russland', name: '' },
    ])
    expect(searchOptions(list, typed)[0]?.value).toBe(timeZone)
    expect(list[1]).toMatchObject({ label: 'Europe/Vienna – Österreich', hint: 'UTC+01:00' })
  })

  it.each([
    ['Europe/Amsterdam', 'de', 'Europe/Amsterdam (Mitteleuropäische Zeit, UTC+01:00)'],
    ['America/New_York', 'ja', 'America/New York (米国東部時間, UTC-05:00)'],
    ['UTC', 'en', 'UTC (UTC+00:00)'],
    ['Mars/Olympus', 'en', 'Mars/Olympus'],
  ])('%s has a name in the language %s, with its offset', (timeZone, language, text) => {
    expect(zoneInWords(timeZone, language, winter)).toBe(text)
  })
})
