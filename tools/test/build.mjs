// The browser apps as `npm start` would build them, if their sources changed since.
import { ensureBuilt } from '../start/browser-apps.mjs'

await ensureBuilt(process.execPath)
