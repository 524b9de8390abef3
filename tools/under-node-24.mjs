// Installs missing packages and runs one of our TypeScript files under Node 24: `node tools/under-node-24.mjs file.ts [word …]`.
// Plain JavaScript without dependencies, because a new machine has none yet.
import { spawn } from 'node:child_process'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { ensureInstalled, pinnedNode, ROOT } from './start/install.mjs'

/**
 * Runs `words` (a file and its arguments) from the root of the checkout; returns its exit code.
 * @throws {OperatorError} if the packages can't be installed
 */
export async function runUnderNode24(words) {
  await ensureInstalled()
  const child = spawn(pinnedNode(), words, { cwd: ROOT, stdio: 'inherit' })
  // A terminal sends an interrupt to both processes; the child cleans up and decides the exit code.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await runUnderNode24(argv.slice(2))
  } catch (error) {
    console.error(error.name === 'OperatorError' ? error.message : error)
    process.exitCode = 1
  }
}
