import { open } from 'node:fs/promises'
import { join } from 'node:path'

const PAGE_BYTES = 8192
const LENGTH_MS = 2000

/** How often in a second this disk brings a page to safety, one after another: no server that keeps its word is faster alone. */
export async function safeWritesPerSecond(folder: string): Promise<number> {
  await using file = await open(join(folder, 'disk-bench'), 'w')
  const page = Buffer.alloc(PAGE_BYTES, 1)
  const began = performance.now()
  let writes = 0
  while (performance.now() - began < LENGTH_MS) {
    await file.write(page, 0, PAGE_BYTES, 0)
    await file.datasync()
    writes += 1
  }
  return (writes * 1000) / (performance.now() - began)
}
