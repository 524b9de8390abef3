import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { XMLParser } from 'fast-xml-parser'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Simulator, startCameras } from '../simulator.ts'
import { testCamera } from '../testing/clips.ts'

// Other simulators on this machine answer too, so the cameras of this run have unique addresses.
const run = randomBytes(4).toString('hex')
const macOf = (last: string): string => `02${run}${last}`.replaceAll(/(..)(?=.)/g, '$1:')
const endpointOf = (last: string): string => `urn:uuid:5c1a0000-0000-1000-8000-02${run}${last}`

let simulator: Simulator
let socket: Socket
let heard: string[]

beforeEach(async () => {
  heard = []
  socket = createSocket({ type: 'udp4', reuseAddr: true })
  socket.on('message', (bytes) => heard.push(bytes.toString()))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.setMulticastInterface('127.0.0.1')
})

afterEach(async () => {
  socket.close()
  await simulator.stop()
})

const start = async () => {
  simulator = await startCameras({
    discovery: { interfaceAddress: '127.0.0.1' },
    cameras: [
      { ...testCamera, mac: macOf('01') },
      { ...testCamera, name: 'Gate', mac: macOf('02') },
    ],
  })
}

function probe(messageId: string, types: string, scopes = ''): void {
  socket.send(
    '<?xml version="1.0"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:w="http://schemas.xmlsoap.org/ws/2004/08/addressing" ' +
      'xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery" xmlns:x="http://www.onvif.org/ver10/network/wsdl"><s:Header>' +
      `<w:MessageID>${messageId}</w:MessageID><w:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</w:To>` +
      '<w:Action>http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe</w:Action></s:Header><s:Body>' +
      `<d:Probe><d:Types>${types}</d:Types><d:Scopes>${scopes}</d:Scopes></d:Probe></s:Body></s:Envelope>`,
    3702,
    '239.255.255.250',
  )
}

async function answersTo(messageId: string, count: number) {
  const deadline = Date.now() + 3000
  const ours = () => heard.filter((text) => text.includes(messageId) && text.includes(endpointOf('')))
  while (ours().length < count && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10))
  const parser = new XMLParser({ removeNSPrefix: true })
  return ours().map((text) => parser.parse(text).Envelope.Body.ProbeMatches.ProbeMatch)
}

test('every camera answers a probe for video transmitters, with a working address and an endpoint made from its MAC address', async () => {
  await start()
  probe('urn:uuid:everybody', 'x:NetworkVideoTransmitter')
  const matches = await answersTo('urn:uuid:everybody', 2)
  expect(matches.map((match) => match.EndpointReference.Address).sort()).toEqual([endpointOf('01'), endpointOf('02')])
  expect(matches.map((match) => match.XAddrs).sort()).toEqual(
    simulator.cameras.map(({ address }) => `http://127.0.0.1:${address.onvifPort}/onvif/device_service`).sort(),
  )
  for (const match of matches) expect(match.Types).toBe('dn:NetworkVideoTransmitter')
})

test("only matching cameras answer a probe for another type or for one camera's scope", async () => {
  await start()
  probe('urn:uuid:printers', 'x:Printer')
  probe('urn:uuid:gate', '', 'onvif://www.onvif.org/name/Gate')
  const matches = await answersTo('urn:uuid:gate', 1)
  expect(matches.map((match) => match.EndpointReference.Address)).toEqual([endpointOf('02')])
  expect(await answersTo('urn:uuid:printers', 0)).toEqual([])
})

test('cameras send Hello when they start and Bye when they stop', async () => {
  const ear = createSocket({ type: 'udp4', reuseAddr: true })
  const said: string[] = []
  ear.on('message', (bytes) => said.push(bytes.toString()))
  ear.bind(3702)
  await once(ear, 'listening')
  ear.addMembership('239.255.255.250', '127.0.0.1')
  await start()
  await simulator.stop()
  const ofOurs = (what: string) =>
    said.filter((text) => text.includes(`<d:${what}>`) && text.includes(endpointOf('02'))).length
  const deadline = Date.now() + 3000
  while (ofOurs('Bye') === 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10))
  ear.close()
  expect(ofOurs('Hello')).toBeGreaterThan(0)
  expect(ofOurs('Bye')).toBeGreaterThan(0)
})

test('invalid messages on the discovery port are ignored', async () => {
  await start()
  socket.send('nonsense', 3702, '239.255.255.250')
  probe('urn:uuid:after-nonsense', '')
  expect(await answersTo('urn:uuid:after-nonsense', 2)).toHaveLength(2)
})
