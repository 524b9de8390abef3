// An attacker who wants to find out from response times which addresses have an account.
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { ask, openForm } from './visiting.mjs'

/** Failures from one network that lock an address for that network. */
const TRIES_UNTIL_LOCKED = 10
/** Time for the server to finish its work after an answer. */
const QUIET_MS = 40

const shuffled = (all) =>
  all
    .map((one) => [Math.random(), one])
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one)

/** Loopback has many addresses, so each attempt can come from a different network; never the first, which others use. */
const networkOf = (number) => `127.${1 + ((number >> 16) & 127)}.${(number >> 8) & 255}.${number & 255}`

async function timed(work) {
  const start = performance.now()
  const answer = await work()
  return { ms: performance.now() - start, answer }
}

/** Tries a wrong password from that network; measures the answer and the request right after it. */
async function tryPassword({ origin, clientId, email, from }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: from })
  try {
    const { visit, page } = await openForm({ agent, origin, clientId })
    await pause(QUIET_MS)
    const { ms, answer } = await timed(() => visit(page, { email, password: 'Wrong-guess.1' }))
    const next = await timed(() => visit(page))
    return { status: answer.status, ms, nextMs: next.ms }
  } finally {
    agent.destroy()
  }
}

async function askForLink({ origin, email, from }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: from })
  const visit = (form) => ask({ agent, origin, path: '/sign-in/forgot', cookies: new Map(), form })
  try {
    await visit()
    await pause(QUIET_MS)
    const { ms, answer } = await timed(() => visit({ email }))
    const next = await timed(() => visit())
    return { status: answer.status, ms, nextMs: next.ms }
  } finally {
    agent.destroy()
  }
}

process.on('message', async ({ origin, clientId, known, unknown, rounds }) => {
  let network = 0
  const elsewhere = () => {
    network += 1
    return networkOf(network)
  }
  const locked = { known: known.at(-1), unknown: unknown.at(-1), from: elsewhere() }
  for (let tries = 0; tries < TRIES_UNTIL_LOCKED; tries += 1) {
    for (const email of [locked.known, locked.unknown])
      await tryPassword({ origin, clientId, email, from: locked.from })
  }
  const one = (emails, round) => emails[round % emails.length]
  const password = (email, from) => tryPassword({ origin, clientId, email, from })
  const kinds = {
    wrongKnown: { expected: 422, work: (round) => password(one(known, round), elsewhere()) },
    wrongUnknown: { expected: 422, work: (round) => password(one(unknown, round), elsewhere()) },
    lockedKnown: { expected: 429, work: () => password(locked.known, locked.from) },
    lockedUnknown: { expected: 429, work: () => password(locked.unknown, locked.from) },
    linkKnown: { expected: 200, work: (round) => askForLink({ origin, email: one(known, round), from: elsewhere() }) },
    linkUnknown: {
      expected: 200,
      work: (round) => askForLink({ origin, email: one(unknown, round), from: elsewhere() }),
    },
  }
  const told = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, { times: [], next: [] }]))
  const problems = []
  // The first rounds are warm-up.
  for (let round = -3; round < rounds; round += 1) {
    // In random order, so that the order has no effect.
    for (const [kind, { expected, work }] of shuffled(Object.entries(kinds))) {
      const { status, ms, nextMs } = await work(Math.max(0, round))
      if (status !== expected) problems.push(`${kind} got status ${status}, expected ${expected}`)
      else if (round >= 0) {
        told[kind].times.push(ms)
        told[kind].next.push(nextMs)
      }
      await pause(QUIET_MS)
    }
  }
  process.send({ told, problems: problems.slice(0, 3) })
})
