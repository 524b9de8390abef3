export { catalogues, compileCatalogue } from './catalogues.ts'
export { preloads } from './preloads.ts'
