export {
  clientConfig,
  type DatabaseConnection,
  type PlaneRole,
  type Role,
  restrictRole,
  roleName,
  withDatabase,
} from './connection.ts'
export {
  type DatabaseSettings,
  type Db,
  type OrganisationScope,
  openDatabase,
  type TenantScope,
  type Tx,
} from './database.ts'
export {
  isCheckViolation,
  isDataFault,
  isForeignKeyViolation,
  isStatementTimeout,
  isTransient,
  isUnavailable,
  isUniqueViolation,
} from './db-errors.ts'
export {
  type EmbeddedPasswords,
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres/index.ts'
export { type IdSource, idSource } from './ids.ts'
export { instant } from './instant.ts'
export { loadJobSchema } from './job-schema.ts'
export {
  type KeysetEdge,
  type KeysetOrder,
  type KeysetPage,
  type KeysetQuestion,
  keysetPage,
  type SortValue,
} from './keyset.ts'
export { matchAny } from './match-any.ts'
export { type Migration, migrate, readMigrations } from './migrations.ts'
export { type Database, PROVIDER_ID } from './schema.ts'
export type { MobileNetworkJson } from './tables/body-cameras.ts'
export type { SessionRow } from './tables/session-row.ts'
export type { MobileSubscriptionsTable, SubscriptionPackagesTable } from './tables/tenancy.ts'
export { limitTime } from './time-limit.ts'
