import { expect, test } from 'vitest'
import { privateNetworks } from './private-networks.ts'

const at = (cidr: string | null, internal = false) => [{ cidr, internal }]

test('the private networks of a machine are those of its addresses, each once; loopback and the internet are none', () => {
  const interfaces = {
    lo: at('127.0.0.1/8', true),
    eth0: [...at('192.168.1.20/24'), ...at('192.168.1.21/24'), ...at('fe80::1/64')],
    eth1: at('10.3.7.9/20'),
    eth2: at('203.0.113.5/24'),
    tun0: at(null),
  }
  expect(privateNetworks(interfaces)).toEqual(['192.168.1.0/24', '10.3.0.0/20'])
  expect(privateNetworks({})).toEqual([])
})
