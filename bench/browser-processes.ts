import { listTree } from '../tests/running-product.ts'
import { readCommandLine } from './process-cost.ts'

/** The processes of the Chromium that this program started. */
export async function listBrowserProcesses(): Promise<readonly number[]> {
  const own = await listTree(process.pid)
  const commands = await Promise.all(own.map(readCommandLine))
  return own.filter((_, at) => commands[at]?.[0]?.includes('chromium'))
}
