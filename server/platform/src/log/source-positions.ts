import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/** A position in the bundle of the server (tools/build-server.mjs), as a stack has it. */
const BUNDLED = /(file:\/\/\/[^\s()]+\/dist\/server\/[0-9a-f]{16}\/[\w.-]+\.mjs):(\d+):(\d+)/g

/** Large and rarely needed, so the memory may be reclaimed between two errors. */
const maps = new Map<string, WeakRef<SourceMap>>()

/** The stack with positions in the sources instead of the bundle. */
export function withSourcePositions(stack: string): string {
  if (!stack.includes('/dist/server/')) return stack
  return stack.replaceAll(BUNDLED, (position, url: string, line: string, column: string) => {
    const origin = mapOf(url)?.findOrigin(Number(line), Number(column))
    if (origin === undefined || !('fileName' in origin)) return position
    return `${new URL(origin.fileName, url).href}:${origin.lineNumber}:${origin.columnNumber}`
  })
}

function mapOf(url: string): SourceMap | undefined {
  const present = maps.get(url)?.deref()
  if (present !== undefined) return present
  const file = `${fileURLToPath(url)}.map`
  if (!existsSync(file)) return undefined
  const map = new SourceMap(JSON.parse(readFileSync(file, 'utf8')))
  maps.set(url, new WeakRef(map))
  return map
}
