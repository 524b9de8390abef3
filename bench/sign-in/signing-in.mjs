// People who sign in one after another: the page, its form, the way back and the token, as a browser and its application do.
import { Agent } from 'node:http'
import { openForm } from './visiting.mjs'

/** Throws where it does not end with a token. */
async function signInOnce({ agent, origin, clientId, person }) {
  const { visit, page, redirectUri, verifier } = await openForm({ agent, origin, clientId })
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
