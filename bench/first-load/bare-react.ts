import { join } from 'node:path'
import { build } from 'vite'
import { repository } from '../../tests/running-product.ts'

const ENTRY = 'virtual:bare-react'
const CODE = `
  import { createElement } from 'react'
  import { createRoot } from 'react-dom/client'
  createRoot(document.body).render(createElement('p', null, 'Hello'))`

/** React rendering one word, built like the apps: the minimum size of such an app. Writes no files. */
export async function bareReact(): Promise<string> {
  const result = await build({
    root: join(repository, 'web/account-portal'),
    configFile: false,
    logLevel: 'warn',
    plugins: [
      {
        name: 'bare-react',
        resolveId: (id) => (id === ENTRY ? join(repository, 'web/account-portal/src', 'bare-react.js') : undefined),
        load: (id) => (id.endsWith('bare-react.js') ? CODE : undefined),
      },
    ],
    build: { write: false, rollupOptions: { input: ENTRY } },
  })
  if (!('output' in result)) throw new Error('the build of React alone has no output')
  return result.output.map((piece) => (piece.type === 'chunk' ? piece.code : '')).join('')
}
