import { join } from 'node:path'
import { ensureBuilt } from './browser-apps.mjs'
import { ensureInstalled, pinnedNode, ROOT } from './install.mjs'
import { exitCodeOf } from './refusal.mjs'
import { runServer } from './server.mjs'

/** @returns {Promise<number>} the exit code */
export function start(words) {
  return exitCodeOf(async () => {
    await ensureInstalled()
    const node = pinnedNode()
    if (!words.includes('--print-config')) await ensureBuilt(node)
    return await runServer(node, [join(ROOT, 'server/run/programs/start.ts'), ...words])
  })
}
