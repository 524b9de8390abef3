import { fileURLToPath } from 'node:url'
import { providerTheme, themeCss } from '@sightline/contract/theme'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Development only: a test adds the theme itself, with the nonce of its policy. */
const theme: Plugin = {
  name: 'theme',
  apply: 'serve',
  transformIndexHtml: () => [{ tag: 'style', children: themeCss(providerTheme) }],
}

/** The page of all components, for `npm run kit` and tests; a test chooses where it is built. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: fileURLToPath(new URL('../typeface', import.meta.url)),
  plugins: [react(), tailwindcss(), theme],
  build: { target: 'es2022', emptyOutDir: true },
})
