import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * One page with its script and style inside, so that it can be kept and opened without a server. Its policy lets it connect to nothing.
 */
const singlePage = (): Plugin => ({
  name: 'single-page',
  generateBundle(_, bundle) {
    const [chunk] = Object.values(bundle).filter((each) => each.type === 'chunk')
    if (chunk === undefined) throw new Error('footage-check: nothing was built')
    const script = chunk.code.replaceAll('</script', '<\\/script')
    const style = read('src/page.css')
    const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`
    // Functions, because `$` has a meaning in a text that replaces.
    const page = read('src/page.html')
      .replace("default-src 'none'", () => policy)
      .replace('<style></style>', () => `<style>${style}</style>`)
      .replace('<script></script>', () => `<script>${script}</script>`)
    this.emitFile({ type: 'asset', fileName: 'footage-check.html', source: page })
  },
})

export default defineConfig({
  root: import.meta.dirname,
  plugins: [singlePage()],
  build: {
    lib: { entry: 'src/main.ts', formats: ['iife'], name: 'footageCheck', fileName: () => 'footage-check.js' },
    target: 'es2022',
    outDir: fileURLToPath(new URL('../../dist/web/footage-check', import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    minify: true,
  },
})
