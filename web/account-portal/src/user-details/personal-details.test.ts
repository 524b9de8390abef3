import { createClient } from '@sightline/client'
import { describe, expect, it } from 'vitest'
import { detailChanges, type PersonalDetails, saveChanges } from './personal-details.ts'

const saved: PersonalDetails = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '',
  companyName: 'Engine',
  country: 'GB',
  timeZone: 'Europe/London',
}

describe('the changes to send', () => {
  it('are empty if nothing differs', () => {
    expect(detailChanges(saved, { ...saved })).toEqual({})
  })

  it('are split by call, with the whole name, and null for a cleared field', () => {
    const after = { ...saved, firstName: 'Augusta', companyName: '', phone: '+44 20', timeZone: 'Europe/Paris' }
    expect(detailChanges(saved, after)).toEqual({
      name: { firstName: 'Augusta', lastName: 'Lovelace' },
      details: { phone: '+44 20', companyName: null },
      timeZone: 'Europe/Paris',
    })
  })
})

it('if one part fails, the others are saved and the failed one is named', async () => {
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
  const outcomes = await saveChanges(
    client,
    detailChanges(saved, { ...saved, firstName: 'Eve', timeZone: 'Asia/Tokyo' }),
  )
  expect(outcomes).toMatchObject([
    { part: 'name', saved: { firstName: 'Eve' } },
    { part: 'timeZone', failure: { code: 1, operation: 226 } },
  ])
  expect(sent).toEqual([
    'PATCH /rest/v2.4/users/self {"firstName":"Eve","lastName":"Lovelace"}',
    'PATCH /rest/v2.4/accounts/self/timeZone {"timeZone":"Asia/Tokyo"}',
  ])
})
