import { fileURLToPath } from 'node:url'
import { catalogues, preloads } from '@sightline/client/vite'
import { reactAria } from '@sightline/kit/vite'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [
    react(),
    tailwindcss(),
    catalogues(),
    reactAria(),
    preloads(['/src/screens.tsx', '/src/user-details/UserDetailsScreen.tsx']),
  ],
  // React has had this since version 18, so the package isn't needed.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: 'react' }] },
  // The font for all applications and sign-in pages of a host: one URL, so that a browser loads it once.
  publicDir: fileURLToPath(new URL('../kit/typeface', import.meta.url)),
  build: {
    outDir: fileURLToPath(new URL('../../dist/web/account-portal', import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // All browsers that can run the app support preloading.
    modulePreload: { polyfill: false },
    // Libraries change less often than our code, so browsers can keep them across our releases. Code for unsaved changes, dates,
    // lists that load in parts, long lists, and popups loads with the components that need it, after the first screen.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Code that identifies the user and requests their data before anything can be rendered, with its imports.
            {
              name: 'begin',
              test: /\/web\/(?:client\/src\/(?!authorization)|shell\/src\/(?:account-queries|create-application|painted-notice|offered-languages|start-application))/,
              priority: 1,
            },
            { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// },
            {
              name: 'vendor',
              test: /node_modules(?!.*(?:(?:useBlocker|nfiniteQueryObserver|useInfiniteQuery)\.js|\/(?:@(?:(?:base|floating)-ui|internationalized|swc)|aria-hidden|clsx|lucide-react|react-(?:aria(?:-components)?|stately)|reselect|@tanstack\/(?:react-)?virtual(?:-core)?)\/|with-selector))/,
            },
            // Code shared by several screens is one chunk, because many small ones compress worse. Code for later screens only
            // loads with them.
            {
              name: 'shared',
              test: /\/(?:web\/(?:kit\/src\/(?!BackLink|Banner|Calendar|CopyField|Date|Details|Dialog|FormDialog|PasswordField|Radio|Segment|Select|SettingSwitch|Switch|Time|date-|option-search|popups|radio-|unsaved|windowing)|shell\/src\/(?!SaveCard|deletion|sign-in-again)|client\/src\/(?!authorization)|account-portal\/src\/(?:shell|text|user-details\/countries))|contract\/src\/(?!account-deletion|audit-logs|errors\/[cm]|reference|reseller|su[bp]))/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
})
