export { storageQueries } from './storage-queries.ts'
