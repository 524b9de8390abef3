export { type DataFolder, openDataFolder } from './data-folder.ts'
export { StartRefused } from './start-refused.ts'
