// The entry point of `npm test` and similar commands: installs missing packages, then runs tools/test/main.ts under Node 24.
// Plain JavaScript without dependencies, because a new machine has none yet.
const [major] = process.versions.node.split('.').map(Number)
if (major < 18) {
  console.error(`Sightline needs Node 18 or newer to install; this is Node ${process.versions.node}.`)
  process.exit(1)
}
const { runUnderNode24 } = await import('./under-node-24.mjs')

try {
  process.exitCode = await runUnderNode24(['tools/test/main.ts', ...process.argv.slice(2)])
} catch (error) {
  console.error(error.name === 'OperatorError' ? error.message : error)
  console.log('0 passed, 1 failed, 0 skipped')
  process.exitCode = 1
}
