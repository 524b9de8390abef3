import { singlePage } from '@sightline/client/vite'
import { defineConfig } from 'vite'

/** The page can be kept and opened without a server. Its policy lets it connect to nothing. */
export default defineConfig(singlePage(import.meta.dirname, { name: 'footage-check' }))
