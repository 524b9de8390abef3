// Loaded into every Node process of the tests: records each route's responses for tools/checks/error-coverage.ts. Uses the
// diagnostics channel on which fastify announces its instances, so product code is not involved.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

const folder = process.env.SIGHTLINE_TEST_REPLIES
if (folder !== undefined) {
  const file = join(folder, `${process.pid}-${threadId}.jsonl`)
  const written = new Set()
  subscribe('fastify.initialization', ({ fastify }) => {
    fastify.addHook('onSend', (request, reply, payload, done) => {
      const url = request.routeOptions.url ?? ''
      const line = JSON.stringify({ method: request.method, url, status: reply.statusCode, code: codeIn(payload) })
      if (!written.has(line)) {
        written.add(line)
        appendFileSync(file, `${line}\n`)
      }
      done(null, payload)
    })
  })
}

/** The `code` of an error body; null for anything else. */
function codeIn(payload) {
  if (typeof payload !== 'string' || !payload.startsWith('{"code":')) return null
  return Number(/^\{"code":(\d+)/.exec(payload)?.[1] ?? Number.NaN) || null
}
