import { describe, expect, test } from 'vitest'
import { isAllowedAddress } from './allowed-address.ts'

describe('an address is allowed', () => {
  test.each([
    ['where nothing is listed', '198.51.100.7', []],
    ['where it is listed', '198.51.100.7', ['192.0.2.1', '198.51.100.7']],
    ['in a range', '198.51.100.7', ['198.51.100.0/24']],
    ['at the end of a range that is no whole octet', '10.0.7.255', ['10.0.4.0/22']],
    ['in a range of everything', '198.51.100.7', ['0.0.0.0/0']],
    ['of IPv6 in a range', '2001:db8:0:1::5', ['2001:db8::/32']],
    ['of IPv6 written otherwise', '2001:DB8:0:0:0:0:0:5', ['2001:db8::5']],
    ['of IPv4 that came by a socket of IPv6', '::ffff:198.51.100.7', ['198.51.100.0/24']],
    ['of IPv4 where the list has it in the form of IPv6', '198.51.100.7', ['::ffff:198.51.100.7']],
    ['with the name of a network card', 'fe80::1%eth0', ['fe80::/10']],
  ])('%s', (_, address, allowed) => {
    expect(isAllowedAddress(address, allowed)).toBe(true)
  })
})

describe('an address is refused', () => {
  test.each([
    ['beside the listed one', '198.51.100.8', ['198.51.100.7']],
    ['beyond the range', '10.0.8.0', ['10.0.4.0/22']],
    ['of IPv6 where only IPv4 is listed', '2001:db8::5', ['0.0.0.0/0']],
    ['of IPv4 where only IPv6 is listed', '198.51.100.7', ['2001:db8::/32']],
    ['that is none', 'unknown', ['0.0.0.0/0', '::/0']],
    ['that is empty', '', ['0.0.0.0/0']],
  ])('%s', (_, address, allowed) => {
    expect(isAllowedAddress(address, allowed)).toBe(false)
  })
})
