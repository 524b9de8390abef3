export { type StaticFiles, staticFiles } from './serve.ts'
