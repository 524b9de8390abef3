import type { Client } from '@sightline/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectLive, prepareLive, streamAddress } from './stream-address.ts'

const MAIN = { stream: 'main', mseWss: 'ws://127.0.0.1:1/stream/mse/open?camera_id=1' }

/** A server that numbers its tickets; those before `firstGood` are refused. */
function openClient(firstGood = 1): { readonly client: Client; tickets(): number } {
  let asked = 0
  const call = async () => {
    const ticket = ++asked
    if (ticket < firstGood) throw new Error('no ticket')
    return { ticket: String(ticket), streams: [MAIN] }
  }
  return { client: { call } as unknown as Client, tickets: () => asked }
}

const live = (cameraId: number) => ({ cameraId, use: 'live', time: undefined, stream: 'main' }) as const
const ticketOf = async (address: ReturnType<typeof streamAddress>) =>
  new URL((await address).href).searchParams.get('ticket')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})

afterEach(() => {
  vi.useRealTimers()
})

test('a camera that the pointer rests on again is not asked for again within a minute', async () => {
  const { client, tickets } = openClient()
  prepareLive(client, 1)
  vi.advanceTimersByTime(59_000)
  prepareLive(client, 1)
  expect(tickets()).toBe(1)
  vi.advanceTimersByTime(2000)
  prepareLive(client, 1)
  expect(await ticketOf(streamAddress(client, live(1)))).toBe('2')
  expect(tickets()).toBe(2)
})

test('an address that was prepared is taken once, by the camera that it was prepared for', async () => {
  const { client, tickets } = openClient()
  prepareLive(client, 1)
  expect(await ticketOf(streamAddress(client, live(2)))).toBe('2')
  expect(await ticketOf(streamAddress(client, live(1)))).toBe('1')
  expect(await ticketOf(streamAddress(client, live(1)))).toBe('3')
  expect(tickets()).toBe(3)
})

test('an address that was prepared for one user isn’t given to another', async () => {
  const before = openClient()
  prepareLive(before.client, 1)
  const after = openClient()
  expect(await ticketOf(streamAddress(after.client, live(1)))).toBe('1')
  expect(after.tickets()).toBe(1)
})

test('recordings don’t take the ticket of a live picture', async () => {
  const { client } = openClient()
  prepareLive(client, 1)
  expect(await ticketOf(streamAddress(client, { ...live(1), use: 'playback', time: 0 }))).toBe('2')
})

test('what couldn’t be prepared is asked for again', async () => {
  const { client } = openClient(2)
  prepareLive(client, 1)
  expect(await ticketOf(streamAddress(client, live(1)))).toBe('2')
})

test('a press connects with the address that was prepared while the pointer rested', async () => {
  const { client, tickets } = openClient()
  prepareLive(client, 1)
  connectLive(client, 1)
  expect(await ticketOf(streamAddress(client, live(1)))).toBe('1')
  expect(tickets()).toBe(1)
})

test('an address whose connection has ended because nobody took it is not taken', async () => {
  const { client } = openClient()
  connectLive(client, 1)
  vi.advanceTimersByTime(3000)
  expect(await ticketOf(streamAddress(client, live(1)))).toBe('2')
})
