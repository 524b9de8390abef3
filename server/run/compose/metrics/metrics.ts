import { createServer } from 'node:http'
import { namesThisMachine } from '@sightline/edge'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { AskProblems } from '../front.ts'
import { type MailFigures, registerMailMetrics } from '../mail/figures.ts'
import type { MediaWorkers } from '../media-workers.ts'
import { registerAuditMetrics, type SignerMetrics } from './audit-metrics.ts'
import { type JobMetrics, registerJobMetrics } from './job-metrics.ts'
import { mediaMetrics } from './media-metrics.ts'
import { registerPoolMetrics } from './pool-metrics.ts'
import type { RequestMetrics } from './request-metrics.ts'

/**
 * Metrics for operators in the Prometheus text format, on loopback only: memory, processor and event loop of the front,
 * requests, database pools, problems, and the media workers. `docs/guide/metrics.md` explains each one; `/problems`
 * lists the problems.
 */
export async function startMetrics(
  port: number,
  {
    problems,
    figures,
    audit,
    mails,
    jobs,
    requests,
    pools,
  }: {
    readonly problems: AskProblems
    readonly audit: SignerMetrics
    readonly mails: Pick<MailFigures, 'figures'>
    readonly jobs: Pick<JobMetrics, 'figures'>
    readonly requests: Pick<RequestMetrics, 'registerIn'>
    readonly pools: Parameters<typeof registerPoolMetrics>[1]
  } & Pick<MediaWorkers, 'figures'>,
): Promise<AsyncDisposable> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'sightline_problems',
    help: 'Number of current problems; 0 is healthy. /problems lists them.',
    registers: [registry],
    async collect() {
      this.set((await problems()).length)
    },
  })
  registerAuditMetrics(registry, audit)
  registerMailMetrics(registry, mails)
  registerJobMetrics(registry, jobs)
  requests.registerIn(registry)
  registerPoolMetrics(registry, pools)
  const server = createServer((req, res) => {
    // A web page can make its own host name resolve here, but a browser then sends that name.
    if (!namesThisMachine(req)) return void res.writeHead(404).end()
    const broken = () => void res.writeHead(500).end()
    if (req.url === '/problems') {
      return void problems().then(
        (sentences) => res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(sentences)),
        broken,
      )
    }
    if (req.url !== '/metrics') return void res.writeHead(404).end()
    Promise.all([registry.metrics(), figures()]).then(
      ([text, workers]) =>
        res.writeHead(200, { 'content-type': registry.contentType }).end(`${text}${mediaMetrics(workers)}`),
      broken,
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
