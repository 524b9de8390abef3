import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createConnection } from './connection.ts'

let status = 200
const server = createServer((_, response) => response.writeHead(status).end())
const listen = (port: number) =>
  new Promise<number>((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
const close = () => new Promise((resolve) => server.close(resolve))
afterEach(async () => {
  status = 200
  server.closeAllConnections()
  await close()
})

test('a call without a response loses the connection, and any response restores it', async () => {
  const port = await listen(0)
  const address = `http://127.0.0.1:${port}/`
  const connection = createConnection(address, new EventTarget())
  const heard: boolean[] = []
  connection.subscribe(() => heard.push(connection.isLost()))
  await connection.fetch(address)
  server.closeAllConnections()
  await close()
  await expect(connection.fetch(address)).rejects.toThrow()
  await expect(connection.fetch(address)).rejects.toThrow()
  status = 403
  await listen(port)
  expect((await connection.fetch(address)).status).toBe(403)
  expect(heard).toEqual([true, false])
})

test('a lost connection is checked automatically until it is back', async () => {
  const port = await listen(0)
  const address = `http://127.0.0.1:${port}/`
  const connection = createConnection(address, new EventTarget())
  status = 502
  await connection.fetch(address)
  expect(connection.isLost()).toBe(true)
  status = 200
  await expect.poll(() => connection.isLost(), { timeout: 10_000 }).toBe(false)
})

test('an aborted call does not count as a lost connection', async () => {
  const address = `http://127.0.0.1:${await listen(0)}/`
  const connection = createConnection(address, new EventTarget())
  await expect(connection.fetch(address, { signal: AbortSignal.abort() })).rejects.toThrow()
  expect(connection.isLost()).toBe(false)
})

test('an offline device has lost the connection, and checks immediately when it is online again', async () => {
  const browser = new EventTarget()
  const connection = createConnection(`http://127.0.0.1:${await listen(0)}/`, browser)
  browser.dispatchEvent(new Event('offline'))
  expect(connection.isLost()).toBe(true)
  browser.dispatchEvent(new Event('online'))
  await expect.poll(() => connection.isLost(), { timeout: 2000 }).toBe(false)
})

test('a response to a call from before the loss does not restore the connection', async () => {
  const browser = new EventTarget()
  const address = `http://127.0.0.1:${await listen(0)}/`
  const connection = createConnection(address, browser)
  const before = connection.fetch(address)
  await new Promise((resolve) => setTimeout(resolve, 1))
  browser.dispatchEvent(new Event('offline'))
  expect((await before).status).toBe(200)
  expect(connection.isLost()).toBe(true)
})
