import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { providerTheme, themeCss } from '@sightline/contract/theme'
import type { Locator, Page } from 'playwright-core'
import { repository } from './running-product.ts'
import { violations } from './screens.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}

const NONCE = 'kit'

/** As strict about styles and scripts as the product: a component that injects its own causes a complaint. */
const POLICY = `default-src 'self'; style-src 'self' 'nonce-${NONCE}'; script-src 'self'; img-src 'self' data:; require-trusted-types-for 'script'`

/** Serves the kit's gallery in the provider's colors; missing files such as `/favicon.ico` are empty. */
export async function startGallery(): Promise<{ readonly origin: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-kit-'))
  const root = join(repository, 'web/kit/gallery')
  // A production build, because a test build would contain React's messages for developers.
  const words = ['build', root, '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn']
  const environment = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, [join(repository, 'node_modules/vite/bin/vite.js'), ...words], {
    cwd: root,
    env: environment,
  })
  const colours = `<link rel="icon" href="data:,"><style nonce="${NONCE}">${themeCss(providerTheme)}</style></head>`
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = pathname === '/' ? '/index.html' : pathname
    const bytes = await readFile(join(folder, file)).catch(() => Buffer.alloc(0))
    response.setHeader('content-type', types[extname(file)] ?? 'text/plain')
    response.setHeader('content-security-policy', POLICY)
    response.end(file === '/index.html' ? bytes.toString().replace('</head>', colours) : bytes)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Each rule that axe finds violated, with one element. */
export const faults = async (page: Page): Promise<readonly string[]> =>
  (await violations(page)).map((fault) => fault.slice(0, 200))

export const hasFocus = async (one: Locator): Promise<boolean> =>
  (await one.and(one.page().locator(':focus')).count()) === 1
