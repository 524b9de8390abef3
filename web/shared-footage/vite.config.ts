import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** One page with its script and style inside, so that it opens fast on a phone. Its policy lets it connect to its own server only. */
const singlePage = (): Plugin => ({
  name: 'single-page',
  generateBundle(_, bundle) {
    const [chunk] = Object.values(bundle).filter((each) => each.type === 'chunk')
    if (chunk === undefined) throw new Error('shared-footage: nothing was built')
    const script = chunk.code.replaceAll('</script', '<\\/script')
    const style = read('src/page.css')
    const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src 'self' ${hashOf(style)}; connect-src 'self'; media-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'`
    // Functions, because `$` has a meaning in a text that replaces.
    const page = read('src/page.html')
      .replace("default-src 'none'", () => policy)
      .replace('<style></style>', () => `<style>${style}</style>`)
      .replace('<script></script>', () => `<script>${script}</script>`)
    this.emitFile({ type: 'asset', fileName: 'shared-footage.html', source: page })
  },
})

export default defineConfig({
  root: import.meta.dirname,
  plugins: [singlePage()],
  build: {
    lib: { entry: 'src/main.ts', formats: ['iife'], name: 'sharedFootage', fileName: () => 'shared-footage.js' },
    target: 'es2022',
    outDir: fileURLToPath(new URL('../../dist/web/shared-footage', import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    minify: true,
  },
})
