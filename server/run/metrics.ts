import { createServer } from 'node:http'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Readiness } from './front.ts'
import { mediaMetrics } from './media-metrics.ts'
import type { MediaWorkers } from './media-workers.ts'

/**
 * Metrics for operators in the Prometheus text format, on loopback only: memory, processor and event loop of the front,
 * whether the service is ready, and what the media workers do. `docs/guide/metrics.md` says what each one is.
 */
export async function startMetrics(
  port: number,
  { readiness, figures }: { readonly readiness: Readiness } & Pick<MediaWorkers, 'figures'>,
): Promise<AsyncDisposable> {
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
    Promise.all([registry.metrics(), figures()]).then(
      ([text, workers]) =>
        res.writeHead(200, { 'content-type': registry.contentType }).end(`${text}${mediaMetrics(workers)}`),
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
