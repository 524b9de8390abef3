import { describe, expect, test } from 'vitest'
import { isAllowedAddress } from './allowed-address.ts'

describe('an address is allowed', () => {
  test.each([
    ['if none is listed', '198.51.100.7', []],
    ['if it is listed', '198.51.100.7', ['192.0.2.1', '198.51.100.7']],
    ['in a range', '198.51.100.7', ['198.51.100.0/24']],
    ['at the end of a range within an octet', '10.0.7.255', ['10.0.4.0/22']],
    ['in a range of all addresses', '198.51.100.7', ['0.0.0.0/0']],
    ['in an IPv6 range', '2001:db8:0:1::5', ['2001:db8::/32']],
    ['in another IPv6 notation', '2001:DB8:0:0:0:0:0:5', ['2001:db8::5']],
    ['as an IPv4-mapped IPv6 address', '::ffff:198.51.100.7', ['198.51.100.0/24']],
    ['if the list has it as an IPv4-mapped IPv6 address', '198.51.100.7', ['::ffff:198.51.100.7']],
    ['with a zone index', 'fe80::1%eth0', ['fe80::/10']],
  ])('%s', (_, address, allowed) => {
    expect(isAllowedAddress(address, allowed)).toBe(true)
  })
})

describe('an address is refused', () => {
  test.each([
    ['next to the listed one', '198.51.100.8', ['198.51.100.7']],
    ['beyond the range', '10.0.8.0', ['10.0.4.0/22']],
    ['in IPv6 if only IPv4 is listed', '2001:db8::5', ['0.0.0.0/0']],
    ['in IPv4 if only IPv6 is listed', '198.51.100.7', ['2001:db8::/32']],
    ['if it is invalid', 'unknown', ['0.0.0.0/0', '::/0']],
    ['if it is empty', '', ['0.0.0.0/0']],
  ])('%s', (_, address, allowed) => {
    expect(isAllowedAddress(address, allowed)).toBe(false)
  })
})
