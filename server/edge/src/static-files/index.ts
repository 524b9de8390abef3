export { builtPage, type CachedFile as BuiltPage } from './file-cache.ts'
export { type Built, type Page, type StaticFiles, staticFiles } from './serve.ts'
