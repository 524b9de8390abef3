export { resellerQuery } from './reseller-queries.ts'
