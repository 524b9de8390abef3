import type { FastifyInstance } from 'fastify'

/** An answer in the metrics. */
export interface AnswerMetrics {
  /** Name of the route in the contract; `unknown` if no route has the address. */
  readonly route: string
  readonly status: number
  /** Since the request arrived. */
  readonly seconds: number
}

/** The name comes from the route's option `routeName`. */
export function reportAnswers(app: FastifyInstance, onAnswered: ((answered: AnswerMetrics) => void) | undefined): void {
  if (onAnswered === undefined) return
  app.addHook('onResponse', (request, reply, done) => {
    const { routeName: route = 'unknown' } = request.routeOptions.config as { readonly routeName?: string }
    onAnswered({ route, status: reply.statusCode, seconds: reply.elapsedTime / 1000 })
    done()
  })
}
