// Many clients that repeatedly send wrong passwords at the same time.
import { Agent } from 'node:http'
import { openForm } from './visiting.mjs'

/** Loopback has many addresses, so each attempt comes from a different network and locks nothing. */
const networkOf = (number) => `127.${100 + ((number >> 16) & 15)}.${(number >> 8) & 255}.${number & 255}`

process.on('message', async ({ origin, clientId, atOnce, seconds }) => {
  const until = performance.now() + seconds * 1000
  const statuses = {}
  let tries = 0
  const attempt = async () => {
    tries += 1
    const email = `nobody-${tries}@demo.example`
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: networkOf(tries) })
    try {
      const { visit, page } = await openForm({ agent, origin, clientId })
      const { status } = await visit(page, { email, password: 'Wrong-guess.1' })
      statuses[status] = (statuses[status] ?? 0) + 1
    } finally {
      agent.destroy()
    }
  }
  while (performance.now() < until) await Promise.all(Array.from({ length: atOnce }, attempt))
  process.send({ tries, statuses })
})
