import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { OperatorError } from './operator-error.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** npm finishes unpacking first, which may take a minute; a partial installation is simply repeated. */
const PATIENCE_MS = 2000

/**
 * Runs a program to its end and captures its output. If this process is stopped, so is the program: an npm that continued
 * alone would write into the folder that the next start prepares.
 * @returns {Promise<{ code: number, output: string }>}
 * @throws {OperatorError} if this process was asked to stop
 */
export async function captured(program, words, options) {
  const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  let stoppedBy
  let late
  const stop = (signal) => {
    stoppedBy = signal
    child.kill(signal)
    late ??= setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (exitCode, signal) => resolve(exitCode ?? 128 + constants.signals[signal]))
    })
    if (stoppedBy !== undefined) throw new OperatorError(`Stopped by ${stoppedBy} before setup finished.`)
    return { code, output }
  } finally {
    clearTimeout(late)
    for (const signal of SIGNALS) process.removeListener(signal, stop)
  }
}
