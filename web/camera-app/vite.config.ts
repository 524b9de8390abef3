import { fileURLToPath } from 'node:url'
import { catalogues, chunkGroups, preloads } from '@sightline/client/vite'
import { reactAria } from '@sightline/kit/vite'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react(), tailwindcss(), catalogues(), reactAria(), preloads(['/src/screens.tsx'])],
  // React has had this since version 18, so the package isn't needed.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: 'react' }] },
  build: {
    outDir: fileURLToPath(new URL('../../dist/web/camera-app', import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // The library of the map is one file, which loads with the first map.
    chunkSizeWarningLimit: 1100,
    // All browsers that can run the app support preloading.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', 'service-worker': 'src/push-devices/service-worker.ts' },
      output: {
        // Browsers request the service worker under one name repeatedly.
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
        codeSplitting: { groups: [...chunkGroups] },
      },
    },
  },
})
