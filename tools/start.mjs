// The entry point of `npm start`: installs missing packages, builds outdated browser apps, starts the server under Node 24
// and stops it again. Plain JavaScript without dependencies, because a new machine has none yet.
const [major] = process.versions.node.split('.').map(Number)
if (major < 18) {
  console.error(`Sightline needs Node 18 or newer to install; this is Node ${process.versions.node}.`)
  process.exit(1)
}
const { start } = await import('./start/start.mjs')
process.exitCode = await start(process.argv.slice(2))
