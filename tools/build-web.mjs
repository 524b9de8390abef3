// Builds every browser app into dist/web/<app>; `node tools/build-web.mjs [app …]`. Runs under Node 24.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { BUILD_STAMP, browserApps, sourceHash } from './start/browser-apps.mjs'
import { ROOT } from './start/install.mjs'

/** Builds these apps one after the other: two at a time need twice the memory and are not faster. */
export async function buildWeb(apps = browserApps()) {
  const { build } = await import('vite')
  const sources = sourceHash()
  for (const app of apps) {
    const began = performance.now()
    await build({
      root: join(ROOT, 'web', app),
      logLevel: 'warn',
      build: { outDir: join(ROOT, 'dist', 'web', app), emptyOutDir: true },
    })
    console.log(`${app}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
  if (apps.length < browserApps().length) return
  mkdirSync(dirname(BUILD_STAMP), { recursive: true })
  writeFileSync(BUILD_STAMP, sources)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2)
  try {
    await buildWeb(named.length > 0 ? named : undefined)
  } catch (error) {
    // The bundler's message has file and line, in colors that callers can't use; its stack is only about the bundler.
    console.error(stripVTControlCharacters(error instanceof Error ? error.message : String(error)))
    process.exitCode = 1
  }
}
