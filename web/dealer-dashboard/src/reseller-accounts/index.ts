export { everyAccountQuery } from './account-queries.ts'
