export { LogTable } from './LogTable.tsx'
