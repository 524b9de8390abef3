import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { listen } from './index.ts'

const patience = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 10 }

/** All that comes back for a request that never becomes whole. */
async function answerTo(unfinished: string): Promise<string> {
  const listening = await listen(
    { host: '127.0.0.1', port: 0, keyPair: undefined, patience },
    { request: (req) => void req.resume(), upgrade: (_req, socket) => void socket.destroy(), trouble: () => undefined },
  )
  if (!listening.ok) throw new Error(listening.failure)
  const { port, close } = listening.value
  const socket = connect(port, '127.0.0.1', () => socket.write(unfinished))
  let answer = ''
  for await (const bytes of socket.setEncoding('utf8')) answer += bytes
  await close()
  return answer
}

test.each([
  ['headers', 'GET /rest/v2.4/cameras HTTP/1.1\r\nHost: x\r\nX-Slow: '],
  ['a body', 'POST /rest/v2.4/cameras HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{'],
])('%s that drip in are answered 408 with the error of the API, and the connection ends', async (_, unfinished) => {
  const [head = '', body = ''] = (await answerTo(unfinished)).split('\r\n\r\n', 2)
  expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nconnection: close/)
  expect(head).toContain('content-type: application/json; charset=utf-8')
  expect(JSON.parse(body)).toMatchObject({ code: 19, detail: expect.stringContaining('send it again') })
})
