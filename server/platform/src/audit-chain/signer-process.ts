import { createPrivateKey } from 'node:crypto'
import { systemClock } from '../clock/index.ts'
import { type DatabaseConnection, openDatabase } from '../db/index.ts'
import { silentLogger } from '../log/index.ts'
import { startSigner } from './signer.ts'

interface Settings {
  readonly connection: DatabaseConnection
  readonly file: string
  /** PKCS #8, PEM. The same key as the next signer's: a checkpoint by another key is foreign. */
  readonly signingKey: string
}

/** A signer in its own process, for the test that kills it; listening keeps it running. */
process.on('message', ({ connection, file, signingKey: pem }: Settings) => {
  const db = openDatabase({
    connection,
    role: 'sealer',
    maxConnections: 1,
    applicationName: 'test-sealer',
    log: silentLogger,
  })
  const signingKey = createPrivateKey(pem)
  startSigner({ db, signingKey, file, clock: systemClock, log: silentLogger })
})
