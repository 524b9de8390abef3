import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UserConfig } from 'vite'

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * Builds `src/main.ts`, `src/page.css` and `src/page.html` into one page, `dist/web/<name>/<name>.html`, with its script and style inside.
 *
 * @param root the folder of the package
 * @param policy what its policy allows besides its script and its style, such as `connect-src 'self'`; `styles` are more sources of styles
 */
export function singlePage(root: string, { name, policy = '', styles = '' }: SinglePage): UserConfig {
  const read = (file: string): string => readFileSync(join(root, 'src', file), 'utf8')
  return {
    root,
    plugins: [
      {
        name: 'single-page',
        generateBundle(_, bundle) {
          const [chunk] = Object.values(bundle).filter((each) => each.type === 'chunk')
          if (chunk === undefined) throw new Error(`${name}: nothing was built`)
          const script = chunk.code.replaceAll('</script', '<\\/script')
          const style = read('page.css')
          const own = `script-src ${hashOf(script)}; style-src ${styles}${hashOf(style)};`
          // Functions, because `$` has a meaning in a text that replaces.
          const page = read('page.html')
            .replace(
              "default-src 'none'",
              () => `default-src 'none'; ${own} ${policy}base-uri 'none'; form-action 'none'`,
            )
            .replace('<style></style>', () => `<style>${style}</style>`)
            .replace('<script></script>', () => `<script>${script}</script>`)
          this.emitFile({ type: 'asset', fileName: `${name}.html`, source: page })
        },
      },
    ],
    build: {
      lib: { entry: 'src/main.ts', formats: ['iife'], name: 'page', fileName: () => `${name}.js` },
      target: 'es2022',
      outDir: join(root, '../../dist/web', name),
      emptyOutDir: true,
      manifest: true,
      minify: true,
    },
  }
}

interface SinglePage {
  readonly name: string
  readonly policy?: string
  readonly styles?: string
}
