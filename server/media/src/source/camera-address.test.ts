import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { checkedConnect } from './index.ts'

const signal = AbortSignal.timeout(20_000)

describe('connecting', () => {
  test('uses the checked address and passes on what arrives', async () => {
    const server = createServer((socket) => socket.end('hello'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    let received = ''
    const connected = await checkedConnect({ allowed: ['127.0.0.0/8', '::1/128'] })({
      host: 'localhost',
      port,
      signal,
      receive: (bytes) => {
        received += Buffer.from(bytes).toString()
      },
    })
    if (!connected.ok) throw new Error(connected.failure.detail)
    await once(connected.value, 'close')
    expect(received).toBe('hello')
    server.close()
  })

  // The check must recognize every spelling of loopback that a resolver understands.
  test.each([
    ['localhost'],
    ['127.0.0.1'],
    ['127.1'],
    ['2130706433'],
    ['0x7f000001'],
    ['0177.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['0'],
  ])("%s is refused or isn't an address", async (host) => {
    const connected = await checkedConnect({ allowed: [] })({ host, port: 1, signal })
    expect(connected).toMatchObject({
      ok: false,
      failure: { kind: expect.stringMatching(/addressRefused|unreachable/) },
    })
    if (!connected.ok && connected.failure.kind === 'unreachable')
      expect(connected.failure.detail).toMatch(/could not look up/)
  })

  test('a closed port is unreachable', async () => {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    const connected = await checkedConnect({ allowed: ['127.0.0.0/8'] })({ host: '127.0.0.1', port, signal })
    expect(connected).toMatchObject({
      ok: false,
      failure: { kind: 'unreachable', detail: expect.stringContaining('ECONNREFUSED') },
    })
  })

  test("an aborted attempt doesn't connect", async () => {
    const connected = await checkedConnect({ allowed: ['127.0.0.0/8'] })({
      host: '127.0.0.1',
      port: 1,
      signal: AbortSignal.abort(),
    })
    expect(connected).toMatchObject({ ok: false, failure: { kind: 'unreachable' } })
  })
})
