import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { startMetrics } from './metrics.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('operators see memory, processor and how many problems there are', async () => {
  const port = await freePort()
  let problems: readonly string[] = []
  await using _metrics = await startMetrics(port, async () => problems)
  const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(await read()).toMatch(/^process_resident_memory_bytes \d+/m)
  expect(await read()).toMatch(/^sightline_problems 0$/m)
  problems = ['the database does not answer']
  expect(await read()).toMatch(/^sightline_problems 1$/m)
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
})
