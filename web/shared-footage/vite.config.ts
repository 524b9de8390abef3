import { singlePage } from '@sightline/client/vite'
import { defineConfig } from 'vite'

/** One file, so that it opens fast on a phone. Its policy lets it connect to its own server only. */
export default defineConfig(
  singlePage(import.meta.dirname, {
    name: 'shared-footage',
    styles: "'self' ",
    policy: "connect-src 'self'; media-src 'self'; img-src 'self' data:; font-src 'self'; ",
  }),
)
