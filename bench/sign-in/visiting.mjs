// The requests of a browser and its application during a sign-in.
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'

/** @returns {Promise<{ status: number; headers: import('node:http').IncomingHttpHeaders; body: string }>} */
export function ask({ agent, origin, path, cookies, form, headers: more = {} }) {
  const { port, host } = new URL(origin)
  const headers = { host, cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), origin, ...more }
  const body = form === undefined ? '' : new URLSearchParams(form).toString()
  if (form !== undefined) {
    headers['content-type'] = 'application/x-www-form-urlencoded'
    headers['content-length'] = Buffer.byteLength(body)
  }
  return new Promise((resolve, reject) => {
    // Names under `localhost` are this machine, whatever the resolver says.
    const options = { agent, host: '127.0.0.1', port, path, headers, method: form === undefined ? 'GET' : 'POST' }
    const sent = request(options, (res) => {
      const chunks = []
      res.on('data', (chunk) => chunks.push(chunk))
      res.on('end', () => {
        for (const line of res.headers['set-cookie'] ?? []) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
          cookies.set(name, value)
        }
        resolve({ status: res.statusCode, headers: res.headers, body: Buffer.concat(chunks).toString() })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Goes to the sign-in form; returns its URL and what is needed to continue. */
export async function openForm({ agent, origin, clientId }) {
  const cookies = new Map()
  const redirectUri = `${origin}/`
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'read write',
    state: randomBytes(16).toString('base64url'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const visit = (path, form) => ask({ agent, origin, path, cookies, form })
  const page = (await visit(`/oauth/authorize?${query}`)).headers.location
  await visit(page)
  return { visit, page, redirectUri, verifier }
}

/** The complete sign-in up to the token; throws if there is none. */
export async function signInOnce({ agent, origin, clientId, person }) {
  const { visit, page, redirectUri, verifier } = await openForm({ agent, origin, clientId })
  const posted = await visit(page, person)
  if (posted.headers.location === undefined) throw new Error(`the form is answered ${posted.status}`)
  const resume = new URL(posted.headers.location, origin)
  const back = (await visit(resume.pathname + resume.search)).headers.location
  const code = new URL(back, origin).searchParams.get('code')
  const exchange = { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: redirectUri }
  const token = await visit('/oauth/token', { ...exchange, code_verifier: verifier })
  const { access_token: accessToken } = JSON.parse(token.body)
  if (accessToken === undefined) throw new Error(`no token: ${token.body}`)
  return accessToken
}
