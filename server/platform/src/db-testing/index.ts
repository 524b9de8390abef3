export { hold, untilWaiting } from './held-locks.ts'
export { copyOfTemplate, TEST_PASSWORDS } from './template-cluster.ts'
export {
  bothEngines,
  engines,
  type OpenTestDatabase,
  POOL_SIZE,
  type TestDatabase,
  testDatabase,
} from './test-database.ts'
