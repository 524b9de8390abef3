import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { reactAria } from '../vite/react-aria.ts'

/** The page of all components, for `npm run kit` and tests; tests choose the output folder. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: fileURLToPath(new URL('../typeface', import.meta.url)),
  plugins: [react(), tailwindcss(), reactAria()],
  build: { target: 'es2022', emptyOutDir: true },
})
