import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** The server stops within 10 s; any process left after that is stuck. */
const STOP_MS = 10_000
const PARENT_POLL_MS = 500

/**
 * Runs the server until it ends or this process is asked to stop.
 *
 * The server has its own process group. Otherwise Ctrl-C in a terminal would reach every child at the same time, the
 * database before processes that still write to it. The server watches its channel to this process and stops when this
 * process is killed.
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

/** Calls `stop` once for any number of stop signals. Returns a function that stops listening. */
function onAskedToStop(stop) {
  let isAsked = false
  const ask = () => {
    if (isAsked) return
    isAsked = true
    stop()
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, ask)
  // npm can't forward its own kill -9, and some shells between npm and this process forward nothing.
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
