export { type DataFolder, openDataFolder } from './data-folder.ts'
export { StartError } from './start-error.ts'
