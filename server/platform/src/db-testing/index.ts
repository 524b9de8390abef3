export { engines, type OpenTestDatabase, type TestDatabase, testDatabase } from './test-database.ts'
