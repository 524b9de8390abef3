// One process that brings a database up to date until it is killed; its input says which.
import { text } from 'node:stream/consumers'
import { type DatabaseConnection, migrate, readMigrations } from '../../db/index.ts'
import { silentLogger } from '../../log/index.ts'

const { connection } = JSON.parse(await text(process.stdin)) as { readonly connection: DatabaseConnection }
await migrate({ connection, log: silentLogger, migrations: await readMigrations() })
