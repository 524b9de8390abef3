export { zoneInWords, zoneLabel } from './zone-label.ts'
export { timeZoneOptions } from './zone-list.ts'
