export { type Page, type StaticFiles, staticFiles } from './serve.ts'
