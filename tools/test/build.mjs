// The browser apps and the bundle of the server as `npm start` would build them, if their sources changed since.
import { existsSync } from 'node:fs'
import { ensureBuilt } from '../start/browser-apps.mjs'
import { bundledServer, bundleFolder } from '../start/server-bundle.mjs'

await ensureBuilt(process.execPath)
await bundledServer(process.execPath)
// The sources would run as well, so that nothing else would say what is wrong.
if (!existsSync(bundleFolder())) process.exitCode = 1
