import { ensureBuilt } from './browser-apps.mjs'
import { ensureInstalled, pinnedNode } from './install.mjs'
import { runForExitCode } from './operator-error.mjs'
import { runServer } from './server.mjs'
import { bundledServer, serverProgram } from './server-bundle.mjs'

/** @returns {Promise<number>} the exit code */
export function start(words) {
  return runForExitCode(async () => {
    await ensureInstalled()
    const node = pinnedNode()
    if (words.includes('--print-config')) return await runServer(node, [serverProgram(), ...words])
    await ensureBuilt(node)
    return await runServer(node, [await bundledServer(node), ...words])
  })
}
