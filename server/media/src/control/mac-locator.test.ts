import { randomBytes } from 'node:crypto'
import { launchSimulator } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { describe, expect, test } from 'vitest'
import { parseArpTable } from '../source/index.ts'
import { chooseMacAddress, macLocator } from './mac-locator.ts'

const MAC = '00:1a:2b:3c:4d:5e'
const { signal } = new AbortController()

const locatorFor = (networks: readonly string[], table = '') =>
  macLocator({
    networks: { refresh: async () => undefined, networksOf: () => networks },
    interfaces: () => ['127.0.0.1'],
    neighbors: async () => parseArpTable(table),
  })

const TABLE = `IP address       HW type     Flags       HW address            Mask     Device
192.168.1.64     0x1         0x2         00:1a:2b:3c:4d:5e     *        eth0
192.168.1.65     0x1         0x0         00:00:00:00:00:00     *        eth0
192.168.1.66     0x1         0x0         00:1a:2b:3c:4d:66     *        eth0
10.0.0.1         0x1         0x2         00:1a:2b:3c:4d:01     *        eth1
10.0.0.2         0x1         0x2         00:1a:2b:3c:4d:01     *        eth1
`

describe('what this machine has resolved', () => {
  test('is read line by line; nothing unresolved, and no router that answers for others', () => {
    expect(parseArpTable(TABLE)).toEqual([{ address: '192.168.1.64', macAddress: MAC }])
    expect(parseArpTable('')).toEqual([])
  })

  test('leads to a device in a network of the account, and to none in a neighbor’s', async () => {
    expect(await locatorFor(['192.168.1.0/24'], TABLE).locate(1, MAC, signal)).toEqual({
      address: '192.168.1.64',
      port: null,
    })
    expect(await locatorFor(['127.0.0.0/8'], TABLE).locate(1, MAC, signal)).toBeUndefined()
    expect(await locatorFor([], TABLE).macAddressAt('192.168.1.64')).toBe(MAC)
  })
})

test('a camera that announces its MAC address is found with its port, and searches at the same time are one', async () => {
  const mac = `02${randomBytes(5).toString('hex')}`.replaceAll(/(..)(?=.)/g, '$1:')
  const clips = await sceneClips('car-park')
  await using simulator = await launchSimulator({
    discovery: { interfaceAddress: '127.0.0.1' },
    cameras: [{ name: 'Door', mac, username: 'viewer', password: 'right', clips }],
  })
  const locator = locatorFor(['127.0.0.0/8'])
  const began = performance.now()
  const found = await Promise.all(Array.from({ length: 20 }, () => locator.locate(1, mac, signal)))
  expect(performance.now() - began).toBeLessThan(8000)
  expect(found).toEqual(
    Array.from({ length: 20 }, () => ({ address: '127.0.0.1', port: simulator.cameras[0]?.onvifPort })),
  )
})

describe('the MAC address of a device that was reached', () => {
  const wifi = '00:1a:2b:3c:4d:5f'
  test.each([
    ['is the one it was looked for with', { named: MAC, reported: [wifi, MAC], resolved: undefined }, MAC],
    [
      'is confirmed by the network where the device names another',
      { named: MAC, reported: [wifi], resolved: MAC },
      MAC,
    ],
    ['is taken if neither says anything', { named: MAC, reported: [], resolved: undefined }, MAC],
    ['is none if it is another device', { named: MAC, reported: [wifi], resolved: wifi }, undefined],
    ['is none if the network has another one there', { named: MAC, reported: [], resolved: wifi }, undefined],
    ['is that of the interface in use', { named: null, reported: [wifi, MAC], resolved: MAC }, MAC],
    ['is the first that it names', { named: null, reported: [wifi, MAC], resolved: undefined }, wifi],
    ['is that of the network if it says nothing', { named: null, reported: [], resolved: MAC }, MAC],
    ['is unknown', { named: null, reported: [], resolved: undefined }, ''],
  ])('%s', (_, given, chosen) => {
    expect(chooseMacAddress(given)).toBe(chosen)
  })
})
