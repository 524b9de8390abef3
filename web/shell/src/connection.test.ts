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

test('a call without an answer loses the connection, and an answer, even a refusal, has it back', async () => {
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

test('while it is lost it is looked for, without anybody calling', async () => {
  const port = await listen(0)
  const address = `http://127.0.0.1:${port}/`
  const connection = createConnection(address, new EventTarget())
  status = 502
  await connection.fetch(address)
  expect(connection.isLost()).toBe(true)
  status = 200
  await expect.poll(() => connection.isLost(), { timeout: 10_000 }).toBe(false)
})

test('a call that its caller gave up says nothing', async () => {
  const address = `http://127.0.0.1:${await listen(0)}/`
  const connection = createConnection(address, new EventTarget())
  await expect(connection.fetch(address, { signal: AbortSignal.abort() })).rejects.toThrow()
  expect(connection.isLost()).toBe(false)
})

test('a device without a network has lost it, and asks at once when it has one again', async () => {
  const browser = new EventTarget()
  const connection = createConnection(`http://127.0.0.1:${await listen(0)}/`, browser)
  browser.dispatchEvent(new Event('offline'))
  expect(connection.isLost()).toBe(true)
  browser.dispatchEvent(new Event('online'))
  await expect.poll(() => connection.isLost(), { timeout: 2000 }).toBe(false)
})

test('an answer to what was asked before the connection was lost does not have it back', async () => {
  const browser = new EventTarget()
  const address = `http://127.0.0.1:${await listen(0)}/`
  const connection = createConnection(address, browser)
  const before = connection.fetch(address)
  await new Promise((resolve) => setTimeout(resolve, 1))
  browser.dispatchEvent(new Event('offline'))
  expect((await before).status).toBe(200)
  expect(connection.isLost()).toBe(true)
})
