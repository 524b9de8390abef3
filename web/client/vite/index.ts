export { catalogues, compileCatalogue } from './catalogues.ts'
export { chunkGroups } from './chunks.ts'
export { preloads } from './preloads.ts'
export { singlePage } from './single-page.ts'
