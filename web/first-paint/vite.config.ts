import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { screenTexts } from './vite/screen-texts.ts'

/** Includes all dependencies, React too, so that the server needs no web package to render it. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), screenTexts(fileURLToPath(new URL('..', import.meta.url)))],
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: 'src/index.tsx',
    target: 'node24',
    outDir: fileURLToPath(new URL('../../dist/web/first-paint', import.meta.url)),
    emptyOutDir: true,
    minify: true,
    rolldownOptions: { output: { entryFileNames: 'first-paint.mjs' } },
  },
})
