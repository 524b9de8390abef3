// What `npm start` runs: installs what is missing, builds the browser apps when they are stale, starts the server under
// Node 24 and stops it again. Plain JavaScript without dependencies, because on a bare machine there are none yet.
const [major] = process.versions.node.split('.').map(Number)
if (major < 18) {
  console.error(`Sightline needs Node 18 or newer to install; this is Node ${process.versions.node}.`)
  process.exit(1)
}
const { start } = await import('./start/start.mjs')
process.exitCode = await start(process.argv.slice(2))
