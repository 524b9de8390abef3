// @ts-check
// `npm run kit`: the page of all components, in the provider's theme, reloaded with every change. A port may follow. Runs under Node 24.
import { resolve } from 'node:path'
import { providerTheme, themeCss } from '@sightline/contract/theme'
import { createServer } from 'vite'

const port = Number(process.argv[2] ?? 5173)
const server = await createServer({
  root: resolve(import.meta.dirname, '../web/kit/gallery'),
  server: { port },
  plugins: [
    {
      name: 'theme',
      transformIndexHtml: () => [{ tag: 'style', children: themeCss(providerTheme) }],
    },
  ],
})
await server.listen()
server.printUrls()
