// People who sign in one after another: the page, its form, the way back and the token, as a browser and its application do.
import { createHash, randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'

/** @returns {Promise<{ status: number; headers: import('node:http').IncomingHttpHeaders; body: string }>} */
function ask({ agent, origin, path, cookies, form }) {
  const { port, host } = new URL(origin)
  const headers = { host, cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), origin }
  const body = form === undefined ? '' : new URLSearchParams(form).toString()
  if (form !== undefined) {
    headers['content-type'] = 'application/x-www-form-urlencoded'
    headers['content-length'] = Buffer.byteLength(body)
  }
  return new Promise((resolve, reject) => {
    // Names below `localhost` are this machine, whatever the resolver knows.
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

/** Throws where it does not end with a token. */
async function signInOnce({ agent, origin, clientId, person }) {
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
  const posted = await visit(page, person)
  if (posted.headers.location === undefined) throw new Error(`the form is answered ${posted.status}`)
  const resume = new URL(posted.headers.location, origin)
  const back = (await visit(resume.pathname + resume.search)).headers.location
  const code = new URL(back, origin).searchParams.get('code')
  const exchange = { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: redirectUri }
  const token = await visit('/oauth/token', { ...exchange, code_verifier: verifier })
  if (JSON.parse(token.body).access_token === undefined) throw new Error(`no token: ${token.body}`)
}

process.on('message', async ({ origin, clientId, people, atOnce, seconds }) => {
  const agent = new Agent({ keepAlive: true })
  const times = []
  const problems = []
  const began = performance.now()
  const until = began + seconds * 1000
  const oneAfterAnother = async (person) => {
    while (performance.now() < until) {
      const start = performance.now()
      await signInOnce({ agent, origin, clientId, person }).then(
        () => times.push(performance.now() - start),
        (error) => problems.push(String(error)),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, index) => oneAfterAnother(people[index % people.length])))
  const took = (performance.now() - began) / 1000
  agent.destroy()
  process.send({ perSecond: times.length / took, times, problems: problems.slice(0, 3), failed: problems.length })
})
