import { createServer } from 'node:http'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Readiness } from './front.ts'

/**
 * Metrics for operators in the Prometheus text format, on loopback only: memory, processor and event loop of the front,
 * and whether the service is ready.
 */
export async function startMetrics(port: number, readiness: Readiness): Promise<AsyncDisposable> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'sightline_problems',
    help: 'What keeps the service from being ready; 0 is well. The sentences are at /readyz.',
    registers: [registry],
    async collect() {
      this.set((await readiness()).length)
    },
  })
  const server = createServer((req, res) => {
    if (req.url !== '/metrics') return void res.writeHead(404).end()
    registry.metrics().then(
      (text) => res.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => res.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      registry.clear()
    },
  }
}
