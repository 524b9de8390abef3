// Calls the API as a signed-in user and measures each call.
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { ask, signInOnce } from './visiting.mjs'

/** Pause between calls, so that this program does not occupy a core. */
const PAUSE_MS = 10

let signedIn
process.on('message', async ({ origin, clientId, person, seconds }) => {
  const agent = new Agent({ keepAlive: true })
  signedIn ??= await signInOnce({ agent, origin, clientId, person })
  const headers = { authorization: `Bearer ${signedIn}` }
  const times = []
  const problems = []
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) {
    const start = performance.now()
    const { status } = await ask({ agent, origin, path: '/rest/v2.4/users/self', cookies: new Map(), headers })
    if (status === 200) times.push(performance.now() - start)
    else problems.push(`a call is answered ${status}`)
    await pause(PAUSE_MS)
  }
  agent.destroy()
  process.send({ times, problems: problems.slice(0, 3) })
})
