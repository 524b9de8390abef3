export { builtPage, type CachedFile as BuiltPage } from './file-cache.ts'
export { type Built, type RenderedPage, type StaticFiles, staticFiles } from './serve.ts'
