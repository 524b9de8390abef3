import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { PrintOrder } from './print.ts'

export type { PrintOrder } from './print.ts'

const MAX_MS = 40_000
/** The limits of the thread. */
const resourceLimits = { maxOldGenerationSizeMb: 512 }

/**
 * A report as PDF, laid out in a thread.
 *
 * @throws after 40 s or 512 MB, or if the thread fails.
 */
export async function printReport(order: PrintOrder): Promise<Buffer> {
  const worker = new Worker(new URL('./printing-process.ts', import.meta.url), { workerData: order, resourceLimits })
  try {
    const [bytes] = await once(worker, 'message', { signal: AbortSignal.timeout(MAX_MS) })
    return Buffer.from(bytes as Uint8Array)
  } finally {
    await worker.terminate()
  }
}
