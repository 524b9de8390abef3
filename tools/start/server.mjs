import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** The server stops itself within 10 s; what is left after that is stuck. */
const STOP_MS = 10_000
const PARENT_POLL_MS = 500

/**
 * Runs the server until it ends or this process is asked to stop.
 *
 * The server is a process group of its own: Ctrl-C in a terminal reaches npm, this process and, without that, every
 * child at once, the database before those who still write to it. It watches its channel to this process and stops
 * by itself when this process is killed.
 * @returns {Promise<number>} the server's exit code
 */
export function runServer(node, words) {
  const server = spawn(node, words, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  const stopWatching = onAskedToStop(() => {
    server.kill('SIGTERM')
    setTimeout(() => killGroup(server.pid), STOP_MS).unref()
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', (code, signal) => {
      stopWatching()
      resolve(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}

/** Calls `stop` once, however often and in whatever way the wish arrives. Returns how to listen no longer. */
function onAskedToStop(stop) {
  let isAsked = false
  const ask = () => {
    if (isAsked) return
    isAsked = true
    stop()
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, ask)
  // npm cannot pass on a kill -9 of itself, and some shells between npm and us do not pass on anything.
  const parent = process.ppid
  const isRunByNpm = process.env.npm_lifecycle_event !== undefined
  const poll = setInterval(() => isRunByNpm && process.ppid !== parent && ask(), PARENT_POLL_MS)
  return () => {
    clearInterval(poll)
    for (const signal of signals) process.removeListener(signal, ask)
  }
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
