import { createClient } from '@sightline/client'
import { searchOptions } from '@sightline/kit'
import { describe, expect, it } from 'vitest'
import { changesOf, type PersonalDetails, saveChanges } from './personal-details.ts'
import { offsetAt, offsetText, zoneLabel } from './time-zones.ts'
import { zoneOptions } from './zone-options.ts'

const saved: PersonalDetails = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '',
  companyName: 'Engine',
  country: 'GB',
  timeZone: 'Europe/London',
}

describe('what has to be sent', () => {
  it('is nothing where nothing differs', () => {
    expect(changesOf(saved, { ...saved })).toEqual({})
  })

  it('goes to the call that takes it, a name whole and an emptied field as null', () => {
    const after = { ...saved, firstName: 'Augusta', companyName: '', phone: '+44 20', timeZone: 'Europe/Paris' }
    expect(changesOf(saved, after)).toEqual({
      name: { firstName: 'Augusta', lastName: 'Lovelace' },
      details: { phone: '+44 20', companyName: null },
      timeZone: 'Europe/Paris',
    })
  })
})

it('a part that fails leaves the others saved, and is named', async () => {
  const sent: string[] = []
  const client = createClient({
    apiServer: '/rest/v2.4/',
    token: () => 't',
    onInvalidToken: () => undefined,
    fetch: async (address, init) => {
      sent.push(`${init.method} ${address} ${init.body}`)
      return address.endsWith('timeZone')
        ? Response.json({ code: 1, title: 'Internal error' }, { status: 500 })
        : Response.json({ userId: 1, accountId: 1, email: 'a@b.example', firstName: 'Eve', lastName: 'Lovelace' })
    },
  })
  const outcomes = await saveChanges(client, changesOf(saved, { ...saved, firstName: 'Eve', timeZone: 'Asia/Tokyo' }))
  expect(outcomes).toMatchObject([
    { part: 'name', saved: { firstName: 'Eve' } },
    { part: 'timeZone', failure: { code: 1, operation: 226 } },
  ])
  expect(sent).toEqual([
    'PATCH /rest/v2.4/users/self {"firstName":"Eve","lastName":"Lovelace"}',
    'PATCH /rest/v2.4/accounts/self/timeZone {"timeZone":"Asia/Tokyo"}',
  ])
})

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

  it('carry their offset of that day', () => {
    expect(offsetAt('Europe/Amsterdam', winter)).toBe(3600)
    expect(offsetAt('Europe/Amsterdam', new Date('2026-07-15T12:00:00Z'))).toBe(7200)
    expect(offsetAt('America/St_Johns', winter)).toBe(-12_600)
    expect(zoneLabel('America/New_York', winter)).toBe('(UTC-05:00) America/New York')
    expect(zoneLabel('Mars/Olympus', winter)).toBe('Mars/Olympus')
  })

  it('are listed from west to east', () => {
    const entry = (timeZone: string, utcOffset: number) => ({ timeZone, utcOffset, label: '' })
    const list = zoneOptions([entry('Asia/Tokyo', 32_400), entry('Europe/Paris', 3600), entry('Africa/Lagos', 3600)])
    expect(list.map((option) => option.label)).toEqual(['Africa/Lagos', 'Europe/Paris', 'Asia/Tokyo'])
    expect(list[0]?.keywords?.split(' ')).toContain('utc+1')
  })

  it('are found by the names of today, where the list has older ones', () => {
    const list = zoneOptions([
      { timeZone: 'Asia/Katmandu', utcOffset: 20_700, label: '' },
      { timeZone: 'Asia/Tokyo', utcOffset: 32_400, label: '' },
    ])
    expect(searchOptions(list, 'kathmandu').map(({ value }) => value)).toEqual(['Asia/Katmandu'])
  })
})
