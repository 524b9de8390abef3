import { describe, expect, it } from 'vitest'
import { addressesProblem, expiryTime, keyBody, keyRules, lastValidDay, newKey, parseAddresses } from './key-form.ts'

const AMSTERDAM = 'Europe/Amsterdam'

describe('the API key form', () => {
  it('accepts addresses separated by lines or commas', () => {
    expect(parseAddresses(' 192.0.2.1\n198.51.100.0/24, 2001:db8::/32 ')).toEqual([
      '192.0.2.1',
      '198.51.100.0/24',
      '2001:db8::/32',
    ])
    expect(parseAddresses(' \n')).toEqual([])
  })

  it('reports invalid and too many addresses', () => {
    expect(addressesProblem('192.0.2.1\n2001:db8::/32')).toBeUndefined()
    expect(addressesProblem('192.0.2.1, office')).toBe('An IP address, or a range such as 192.0.2.0/24')
    expect(addressesProblem(Array.from({ length: 51 }, (_, at) => `192.0.2.${at}`).join('\n'))).toBe(
      'Enter at most 50 addresses and ranges',
    )
  })

  it('makes a key valid until the end of its last day in the account’s time zone, also when clocks change', () => {
    expect(expiryTime('2026-10-25', AMSTERDAM)).toBe('2026-10-25T23:00:00.000+00:00')
    expect(expiryTime('2026-07-01', AMSTERDAM)).toBe('2026-07-01T22:00:00.000+00:00')
    expect(expiryTime('', AMSTERDAM)).toBeNull()
    expect(lastValidDay('2026-10-25T23:00:00.000+00:00', AMSTERDAM)).toBe('2026-10-25')
    expect(lastValidDay(null, AMSTERDAM)).toBe('')
  })

  it('rejects an expiry in the past', () => {
    const { lastDay } = keyRules('2026-11-21')
    expect(lastDay('2026-11-20')).toBe('Choose today or a later date')
    expect(lastDay('2026-11-21')).toBeUndefined()
    expect(lastDay('')).toBeUndefined()
  })

  it('sends the scope write only together with read', () => {
    expect(keyBody({ ...newKey, name: 'abc', scopes: 'write' }, AMSTERDAM).scopes).toEqual(['read', 'write'])
    const provisioning = keyBody({ ...newKey, name: 'abc', scopes: 'provisioning' }, AMSTERDAM)
    expect(provisioning).toMatchObject({ scopes: ['read', 'write'], provisioning: true })
    expect(keyBody({ ...newKey, name: 'abc' }, AMSTERDAM)).toEqual({
      name: 'abc',
      scopes: ['read'],
      provisioning: false,
      expiresAt: null,
      allowedAddresses: [],
    })
  })
})
