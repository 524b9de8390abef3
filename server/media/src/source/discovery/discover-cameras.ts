import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { BlockList, isIPv4 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DiscoveredCamera, MAX_SWEEP_ADDRESSES } from '@sightline/contract/media-plane'
import { type AddressSweepOptions, sweepAddresses } from './address-sweep.ts'
import { DISCOVERY_GROUP, DISCOVERY_PORT, probeMessage, readMatches } from './probe.ts'

export interface DiscoverOptions {
  /** The addresses of this machine, one for each network that may be searched. */
  readonly interfaces: readonly string[]
  /** Each of these is asked too; at most {@link MAX_SWEEP_ADDRESSES}. */
  readonly addresses: readonly string[]
  /** Whether an address may be used; answers of others are dropped. */
  readonly mayUse: (address: string) => boolean
  readonly onFound: (camera: DiscoveredCamera) => void
  /** From 0 to 1. */
  readonly onProgress: (part: number) => void
  readonly signal: AbortSignal
  /** Afterward connects to each of `addresses` that didn't answer. */
  readonly sweep?: Pick<AddressSweepOptions, 'connect' | 'ports'> | undefined
}

/** Datagrams are lost; cameras answer within a random delay of half a second. */
const PROBES_AT_MS = [0, 500, 1000] as const
const LAST_ANSWER_MS = 1500
const SWEEP_INTERVAL_MS = 20
/** A hostile device may answer for any number of cameras. */
const MAX_FOUND = 512
const MAX_DATAGRAM_BYTES = 16_384

/** Asks for cameras by WS-Discovery: three probes in each network of this machine, and one to each address. */
export async function discoverCameras(options: DiscoverOptions): Promise<void> {
  const { interfaces, addresses, signal, onProgress } = options
  const seen = new Set<string>()
  const hosts = new Set<string>()
  const found = (camera: DiscoveredCamera) => {
    const key = `${camera.address} ${camera.port}`
    if (seen.has(key) || seen.size >= MAX_FOUND) return
    seen.add(key)
    hosts.add(camera.address)
    options.onFound(camera)
  }
  const hear = (bytes: Uint8Array, address: string) => {
    if (bytes.length > MAX_DATAGRAM_BYTES || !options.mayUse(address)) return
    for (const camera of readMatches(bytes, address)) found(camera)
  }
  const asked = addresses.slice(0, MAX_SWEEP_ADDRESSES)
  const { sweep: connecting } = options
  const total = PROBES_AT_MS.length + asked.length * (connecting === undefined ? 1 : 2)
  let done = 0
  const step = () => {
    done++
    onProgress(done / (total + 1))
  }
  const open = await Promise.all([
    ...interfaces.map((address) => openSocket(address, hear)),
    openSocket('0.0.0.0', hear),
  ])
  const sockets = open.filter((socket) => socket !== undefined)
  try {
    await Promise.all([
      probeNetworks(sockets.slice(0, -1), step, signal),
      sweep(sockets.at(-1), { asked, step, signal }),
    ])
    await sleep(LAST_ANSWER_MS, undefined, { signal })
    if (connecting !== undefined) {
      const addresses = asked.filter((address) => options.mayUse(address))
      const isFound = (address: string) => hosts.has(address)
      await sweepAddresses({ ...connecting, addresses, isFound, onFound: found, onStep: step, signal })
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    for (const socket of sockets) socket.close()
    onProgress(1)
  }
}

/** Undefined if this machine has no such address any more. */
async function openSocket(
  address: string,
  hear: (bytes: Uint8Array, address: string) => void,
): Promise<Socket | undefined> {
  const socket = createSocket({ type: 'udp4' })
  try {
    socket.bind(0, address)
    await once(socket, 'listening')
    if (address !== '0.0.0.0') socket.setMulticastInterface(address)
    socket.setMulticastTTL(1)
  } catch {
    socket.close()
    return undefined
  }
  // From here on an error is a datagram that could not be sent.
  socket.on('error', () => undefined)
  socket.on('message', (bytes, from) => hear(bytes, from.address))
  return socket
}

const send = (socket: Socket, address: string): void =>
  socket.send(probeMessage(), DISCOVERY_PORT, address, () => undefined)

async function probeNetworks(sockets: readonly Socket[], step: () => void, signal: AbortSignal): Promise<void> {
  let at = 0
  for (const time of PROBES_AT_MS) {
    await sleep(time - at, undefined, { signal })
    at = time
    for (const socket of sockets) send(socket, DISCOVERY_GROUP)
    step()
  }
}

/** 50 addresses a second. */
async function sweep(
  socket: Socket | undefined,
  {
    asked,
    step,
    signal,
  }: { readonly asked: readonly string[]; readonly step: () => void; readonly signal: AbortSignal },
): Promise<void> {
  for (const address of asked) {
    if (socket !== undefined) send(socket, address)
    step()
    await sleep(SWEEP_INTERVAL_MS, undefined, { signal })
  }
}

/** The addresses of hosts in an IPv4 network; undefined if there are more than one sweep may ask, or if it is IPv6. */
export function listAddresses(network: string): readonly string[] | undefined {
  const [base = '', length = ''] = network.split('/')
  const prefix = Number(length)
  if (!isIPv4(base) || !/^\d{1,2}$/.test(length) || prefix > 32) return undefined
  const size = 2 ** (32 - prefix)
  // The addresses of the network itself and of everybody are no hosts.
  const hosts = size > 2 ? size - 2 : size
  if (hosts > MAX_SWEEP_ADDRESSES) return undefined
  const start = toNumber(base) - (toNumber(base) % size) + (size > 2 ? 1 : 0)
  return Array.from({ length: hosts }, (_, at) => toAddress(start + at))
}

const toNumber = (address: string): number =>
  address.split('.').reduce((number, byte) => number * 256 + Number(byte), 0)
const toAddress = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')

/** Whether a network lies within one of the others. */
export function isWithinNetworks(network: string, others: readonly string[]): boolean {
  const [base = '', length = ''] = network.split('/')
  return others.some((other) => {
    const [wide = '', prefix = ''] = other.split('/')
    if (!isIPv4(wide) || !isIPv4(base) || Number(length) < Number(prefix)) return false
    const list = new BlockList()
    list.addSubnet(wide, Number(prefix), 'ipv4')
    return list.check(base, 'ipv4')
  })
}
