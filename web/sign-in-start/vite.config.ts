import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** One classic script with all dependencies. The edge embeds it in the page that starts a sign-in. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    lib: {
      entry: 'src/main.ts',
      formats: ['iife'],
      name: 'signInStart',
      fileName: () => 'sign-in-start.js',
    },
    target: 'es2022',
    outDir: fileURLToPath(new URL('../../dist/web/sign-in-start', import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    minify: true,
  },
})
