// What `npm test` and its sisters run: installs what is missing, then hands over to Node 24.
// Plain JavaScript without dependencies, because on a bare machine there are none yet.
const [major] = process.versions.node.split('.').map(Number)
if (major < 18) {
  console.error(`Sightline needs Node 18 or newer to install itself; this is Node ${process.versions.node}.`)
  process.exit(1)
}
const { spawn } = await import('node:child_process')
const { join } = await import('node:path')
const { ensureInstalled, pinnedNode, ROOT } = await import('./start/install.mjs')

try {
  await ensureInstalled()
  const words = [join(ROOT, 'tools', 'test', 'main.ts'), ...process.argv.slice(2)]
  const child = spawn(pinnedNode(), words, { cwd: ROOT, stdio: 'inherit' })
  // The terminal sends an interrupt to both; the child ends what it started and decides the exit code.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
} catch (error) {
  console.error(error.name === 'Refusal' ? error.message : error)
  console.log('0 passed, 1 failed, 0 skipped')
  process.exitCode = 1
}
