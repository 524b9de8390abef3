// Builds the browser apps and the server bundle like `npm start`, if their sources have changed.
import { existsSync } from 'node:fs'
import { ensureBuilt } from '../start/browser-apps.mjs'
import { bundledServer, bundleFolder } from '../start/server-bundle.mjs'

await ensureBuilt(process.execPath)
await bundledServer(process.execPath)
// Without this the sources would run instead, and nothing would report the failure.
if (!existsSync(bundleFolder())) process.exitCode = 1
