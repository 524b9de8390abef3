export { capabilityQueries } from './capability-queries.ts'
