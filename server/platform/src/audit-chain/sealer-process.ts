import { generateKeyPairSync } from 'node:crypto'
import { systemClock } from '../clock/index.ts'
import { type DatabaseConnection, openDatabase } from '../db/index.ts'
import { silentLogger } from '../log/index.ts'
import { startSealer } from './sealer.ts'

/** A sealer in a process of its own, for the test that kills it; listening keeps it running. */
process.on('message', ({ connection, file }: { connection: DatabaseConnection; file: string }) => {
  const db = openDatabase({
    connection,
    role: 'sealer',
    maxConnections: 1,
    applicationName: 'test-sealer',
    log: silentLogger,
  })
  const { privateKey: signingKey } = generateKeyPairSync('ed25519')
  startSealer({ db, signingKey, file, clock: systemClock, log: silentLogger })
})
