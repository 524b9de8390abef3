export { hold } from './held-locks.ts'
export {
  bothEngines,
  engines,
  type OpenTestDatabase,
  POOL_SIZE,
  type TestDatabase,
  testDatabase,
} from './test-database.ts'
