import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getCamera, getCameras } from '@sightline/contract/cameras'
import { patchCredentials } from '@sightline/contract/credentials'
import { getUsers } from '@sightline/contract/sub-users'
import { getUser, patchUser } from '@sightline/contract/users'
import { afterEach, describe, expect, it } from 'vitest'
import { ApiFailure, createClient, routeAddress } from './api.ts'

type Answer = (request: { method: string; url: string; headers: NodeJS.Dict<string | string[]>; body: string }) =>
  | {
      status: number
      body?: unknown
      headers?: Record<string, string>
    }
  | 'break off'
  | 'silence'

let server: Server | undefined

/** A client of a real server on loopback that responds with `answer`. `ended` counts how often the session ended. */
async function clientOf(answer: Answer) {
  const requests: string[] = []
  const seen = { ended: 0, requests }
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push(`${request.method} ${request.url}`)
    const given = answer({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
    if (given === 'silence') return
    if (given === 'break off') {
      request.socket.destroy()
      return
    }
    response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers })
    response.end(given.body === undefined ? undefined : JSON.stringify(given.body))
  })
  await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = createClient({
    apiServer: `http://127.0.0.1:${port}/rest/v2.4/`,
    token: () => 'T0ken',
    onInvalidToken: () => {
      seen.ended += 1
    },
    retryAfterMs: [1, 1],
  })
  return { client, seen }
}

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

const user = { userId: 7, accountId: 7, email: 'owner@demo.example', firstName: 'Olivia', lastName: 'Owner' }
const failed = (call: Promise<unknown>): Promise<ApiFailure> =>
  call.then(
    () => Promise.reject(new Error('the call succeeded')),
    (failure: unknown) => (failure instanceof ApiFailure ? failure : Promise.reject(failure)),
  )

describe('a call', () => {
  it('sends the bearer token and returns the reply that the contract describes', async () => {
    const { client } = await clientOf(({ headers }) =>
      headers.authorization === 'Bearer T0ken' ? { status: 200, body: { ...user, extra: 1 } } : { status: 403 },
    )
    expect(await client.call(getUser)).toEqual(user)
  })

  it('puts ids into the path and parameters into the query', async () => {
    const { client, seen } = await clientOf(() => ({ status: 200, body: [] }))
    await client.call(getCameras, { query: { zoneId: 12, q: 'back door' } })
    expect(seen.requests).toEqual(['GET /rest/v2.4/cameras?zoneId=12&q=back+door'])
    expect(routeAddress('/rest/v2.4', 'cameras/{cameraId}', { params: { cameraId: 5 } })).toBe('/rest/v2.4/cameras/5')
    expect(() => routeAddress('/rest', 'cameras/{cameraId}', {})).toThrow('no value for {cameraId}')
  })

  it('accepts only the route’s own input', () => {
    const never = async (client: ReturnType<typeof createClient>) => {
      // @ts-expect-error: no such field
      await client.call(patchUser, { body: { firstNam: 'x' } })
      // @ts-expect-error: the path needs a camera
      await client.call(getCamera)
      // @ts-expect-error: a body is required
      await client.call(patchCredentials, {})
      const reply = await client.call(getUser)
      // @ts-expect-error: no such field in the reply
      return reply.surname
    }
    expect(never).toBeTypeOf('function')
  })

  it('returns undefined for an empty reply', async () => {
    const { client } = await clientOf(() => ({ status: 204 }))
    const body = { password: 'old-password', newPassword: 'new-password' }
    expect(await client.call(patchCredentials, { body })).toBeUndefined()
  })
})

describe('a failed call', () => {
  it('has the catalog’s text for its operation and code, and the server’s fields', async () => {
    const fields = [{ field: 'firstName', message: 'Please enter a valid name' }]
    const { client } = await clientOf(() => ({ status: 400, body: { code: 3, title: 'x', detail: 'd', fields } }))
    const failure = await failed(client.call(patchUser, { body: { firstName: '?' } }))
    expect(failure).toMatchObject({ code: 3, operation: 217, status: 400, detail: 'd', fields, sessionEnded: false })
    expect(failure.message).toMatch(/^The application has encountered an unknown error/)
  })

  it('keeps the session after a wrong password', async () => {
    const { client, seen } = await clientOf(() => ({ status: 401, body: { code: 8, title: 'Authentication failed' } }))
    const failure = await failed(client.call(patchUser, { body: { email: 'new@demo.example', password: 'x' } }))
    expect(failure.message).toBe('Incorrect password')
    expect(seen.ended).toBe(0)
  })

  it('ends the session after an invalid token', async () => {
    const { client, seen } = await clientOf(() => ({
      status: 401,
      body: { error: 'invalid_token' },
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    }))
    expect(await failed(client.call(getUser))).toMatchObject({ sessionEnded: true, status: 401 })
    expect(seen.ended).toBe(1)
  })

  it('counts as unreachable if the reply is not from our server', async () => {
    const { client } = await clientOf(() => ({ status: 502, body: '<html>' }))
    expect(await failed(client.call(getUser))).toMatchObject({ code: 20, status: 502 })
  })

  it('counts as incomplete if the reply violates the contract', async () => {
    const { client } = await clientOf(() => ({ status: 200, body: { userId: 'seven' } }))
    const message = "Couldn't read the server's reply. Try again."
    expect(await failed(client.call(getUser))).toMatchObject({ code: 15, message })
  })

  it("keeps the server's text for a device that sent an incomplete response", async () => {
    const body = { code: 15, title: 'The device sent an incomplete response' }
    const { client } = await clientOf(() => ({ status: 424, body }))
    expect(await failed(client.call(getUser))).toMatchObject({ code: 15, message: body.title })
  })
})

describe('a network failure', () => {
  it('is retried twice for a read', async () => {
    const { client, seen } = await clientOf(() =>
      seen.requests.length < 3 ? 'break off' : { status: 200, body: user },
    )
    expect(await client.call(getUser)).toEqual(user)
    expect(seen.requests).toHaveLength(3)
  })

  it('ends with code 20 after the third attempt', async () => {
    const { client, seen } = await clientOf(() => 'break off')
    expect(await failed(client.call(getUser))).toMatchObject({ code: 20, status: 0 })
    expect(seen.requests).toHaveLength(3)
  })

  it('is never retried for a write', async () => {
    const { client, seen } = await clientOf(() => 'break off')
    await failed(client.call(patchUser, { body: { firstName: 'Ada' } }))
    expect(seen.requests).toHaveLength(1)
  })

  it('is code 19 after a timeout', async () => {
    const { client } = await clientOf(() => 'silence')
    expect(await failed(client.call(getUser, {}, { timeoutMs: 50 }))).toMatchObject({ code: 19 })
  })

  it('is an abort when the caller or the page cancels', async () => {
    const { client } = await clientOf(() => 'silence')
    const stop = new AbortController()
    const one = client.call(getUser, {}, { signal: stop.signal })
    const other = client.call(getUser)
    stop.abort()
    await expect(one).rejects.toMatchObject({ name: 'AbortError' })
    client.cancelReads()
    await expect(other).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('lists and ETags', () => {
  const users = 'GET /rest/v2.4/users'

  it('requests a page and returns the tokens of its neighbors and the total', async () => {
    const link = '</rest/v2.4/users?q=a&pageToken=x%2Fy>; rel="next", </rest/v2.4/users?pageToken=b&q=a>; rel="prev"'
    const { client, seen } = await clientOf(() => ({
      status: 200,
      body: [],
      headers: { link, 'x-total-count': '10000' },
    }))
    const wish = { limit: 500, sort: '-name', count: true, pageToken: undefined }
    const page = await client.page(getUsers, { query: { q: 'a' } }, wish)
    expect(seen.requests).toEqual([`${users}?q=a&limit=500&sort=-name&count=true`])
    expect(page).toEqual({ rows: [], total: 10_000, next: 'x/y', previous: 'b' })
  })

  it('returns no tokens and no total if the server sends none', async () => {
    const { client } = await clientOf(() => ({ status: 200, body: [] }))
    expect(await client.page(getUsers, {}, {})).toEqual({
      rows: [],
      total: undefined,
      next: undefined,
      previous: undefined,
    })
  })

  it('returns the reply with its ETag', async () => {
    const { client } = await clientOf(() => ({ status: 200, body: user, headers: { etag: '"abc"' } }))
    expect(await client.tagged(getUser)).toEqual({ value: user, etag: '"abc"' })
  })
})
