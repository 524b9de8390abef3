import type { AnswerMetrics } from '@sightline/platform/http'
import { Counter, Histogram, type Registry } from 'prom-client'

/** Requests that the API or the authorization server answered, since the process began. */
export interface RequestMetrics {
  readonly note: (answered: AnswerMetrics) => void
  registerIn(registry: Registry): void
}

/** Up to the target of a call (0.2 s), and from there to when callers have given up. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 10]

/** Labels are names of the contract, never addresses: those contain ids, and anyone can invent new ones. */
export function requestMetrics(): RequestMetrics {
  const requests = new Counter({
    name: 'sightline_http_requests_total',
    help: 'Requests answered by the API and the authorization server, by call name and status class.',
    labelNames: ['route', 'status'],
    registers: [],
  })
  const durations = new Histogram({
    name: 'sightline_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of the response, by call name.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers: [],
  })
  return {
    note({ route, status, seconds }) {
      requests.inc({ route, status: `${Math.floor(status / 100)}xx` })
      durations.observe({ route }, seconds)
    },
    registerIn(registry) {
      registry.registerMetric(requests)
      registry.registerMetric(durations)
    },
  }
}
