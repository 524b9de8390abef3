import { describe, expect, test } from 'vitest'
import { addressRule, listedRule } from './index.ts'

describe('without a list, only the public internet is allowed', () => {
  const mayReach = addressRule({ allowed: [] })

  test.each([
    ['8.8.8.8'],
    ['93.184.216.34'],
    ['2606:2800:220:1:248:1893:25c8:1946'],
    ['::ffff:8.8.8.8'],
    ['64:ff9b::808:808'],
  ])('%s: yes', (address) => {
    expect(mayReach(address)).toBe(true)
  })

  test.each([
    ['127.0.0.1'],
    ['127.255.255.254'],
    ['0.0.0.0'],
    ['169.254.169.254'],
    ['100.100.100.200'],
    ['168.63.129.16'],
    ['10.0.0.1'],
    ['172.16.0.1'],
    ['172.31.255.255'],
    ['192.168.1.1'],
    ['100.64.0.1'],
    ['224.0.0.1'],
    ['239.255.255.250'],
    ['255.255.255.255'],
    ['240.0.0.1'],
    ['::'],
    ['::1'],
    ['fe80::1'],
    ['fe80::1%eth0'],
    ['fc00::1'],
    ['fd00:ec2::254'],
    ['ff02::c'],
    ['::ffff:127.0.0.1'],
    ['::ffff:7f00:1'],
    ['::127.0.0.1'],
    ['::ffff:0:127.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['64:ff9b::a9fe:a9fe'],
    ['64:ff9b:1::10.0.0.1'],
    ['2002:7f00:1::'],
    ['2001:0:1234::1'],
    ['::ffff:192.168.0.1'],
    ['not an address'],
    [''],
  ])('%s: no', (address) => {
    expect(mayReach(address)).toBe(false)
  })
})

describe('with a list', () => {
  test('only private ranges on it are allowed', () => {
    const mayReach = addressRule({ allowed: ['192.168.1.0/24', 'fd12::/16'] })
    expect(mayReach('192.168.1.20')).toBe(true)
    expect(mayReach('::ffff:192.168.1.20')).toBe(true)
    expect(mayReach('fd12::20')).toBe(true)
    expect(mayReach('192.168.2.20')).toBe(false)
    expect(mayReach('10.0.0.1')).toBe(false)
  })

  test("a wider range doesn't allow a forbidden one inside it", () => {
    const mayReach = addressRule({ allowed: ['0.0.0.0/0', '::/0', '100.64.0.0/10'] })
    expect(mayReach('10.0.0.1')).toBe(true)
    expect(mayReach('100.64.0.1')).toBe(true)
    for (const address of ['127.0.0.1', '169.254.169.254', '100.100.100.200', '224.0.0.1', '::1', 'fe80::1']) {
      expect(mayReach(address), address).toBe(false)
    }
  })

  test('a forbidden range is allowed if it is listed itself', () => {
    const mayReach = addressRule({ allowed: ['127.0.0.0/8'] })
    expect(mayReach('127.0.0.1')).toBe(true)
    expect(mayReach('::ffff:127.0.0.1')).toBe(true)
    expect(mayReach('169.254.1.1')).toBe(false)
    expect(mayReach('192.168.1.1')).toBe(false)
  })

  test.each([['192.168.1.0'], ['192.168.1.0/33'], ['localhost/8'], ['1.2.3/8'], ['']])(
    '%s on it stops the start',
    (range) => {
      expect(() => addressRule({ allowed: [range] })).toThrow(/expected a range/)
    },
  )
})

test('only listed addresses are allowed, in any notation', () => {
  const isListed = listedRule({ allowed: ['127.0.0.0/8', '10.0.0.0/8', '0.0.0.0/0'] })
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '10.1.2.3']) expect(isListed(address), address).toBe(true)
  expect(listedRule({ allowed: ['127.0.0.0/8'] })('8.8.8.8')).toBe(false)
  expect(isListed('169.254.169.254')).toBe(false)
})
