import { fileURLToPath } from 'node:url'
import { catalogues } from '@sightline/client/vite'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), tailwindcss(), catalogues()],
  build: {
    outDir: fileURLToPath(new URL('../../dist/web/account-portal', import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // Every browser that runs the rest preloads by itself.
    modulePreload: { polyfill: false },
    // Libraries change less often than we do: a browser keeps theirs over our releases. What asks before a page is left
    // comes with what shows the question, after the first screen.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules(?!.*useBlocker\.js)/ },
            // What several screens use comes in one piece: in many small ones it compresses worse. What only later screens
            // use comes with them.
            {
              name: 'shared',
              test: /\/(?:web\/(?:kit\/src\/(?!page\/|Dialog|Select|Switch)|shell\/src\/(?!SaveCard|Unsaved|deletion)|client)|contract\/src\/(?!account-deletion|audit-logs|errors\/[cm]|reference|reseller|su[bp]))/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
})
