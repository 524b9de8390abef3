/** Zones as other screens see them. */
export { zoneQueries } from './zone-queries.ts'
