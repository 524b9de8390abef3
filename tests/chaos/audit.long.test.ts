/** The whole product's audit log: entries get signed despite crashes, and changes to them are reported. */
import { generateKeyPairSync } from 'node:crypto'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDataFolder } from '../data-folders.ts'
import { freePort, type RunningProduct, startProduct } from '../running-product.ts'
import { fetchToken } from '../signed-in.ts'
import { keepChanging } from './acknowledged-changes.ts'
import { auditVerify } from './audit-verify.ts'
import { openProductDatabase } from './product-database.ts'

const CLEAN = 'No entry was changed, removed, added or reordered.\n'
const NOT_IN_CHAIN = 'waiting to be added to the chain'
const NOT_COVERED = 'newer than the last checkpoint'

let dataFolder: string
let product: RunningProduct
beforeAll(async () => {
  dataFolder = await newDataFolder()
  product = await startProduct({ dataFolder, cameras: false })
})
afterAll(async () => {
  await product[Symbol.asyncDispose]()
  await rm(dataFolder, { recursive: true, force: true })
})

const linesIn = (output: string): number => Number(/Verified ([\d,]+) entr/.exec(output)?.[1]?.replaceAll(',', ''))

/** Users who change their details continuously; each change adds an entry. */
async function manyChanges(users: number) {
  const token = await fetchToken(product.origin, 'owner@demo.example')
  return Array.from({ length: users }, () =>
    keepChanging({
      origin: product.origin,
      token,
      path: 'users/self',
      field: 'firstName',
      value: (n) => `Olivia ${n}`,
    }),
  )
}

test('concurrent changes are signed while they continue, and all of them after a stop', async () => {
  const changes = await manyChanges(4)
  const acknowledged = () => changes.reduce((sum, change) => sum + change.acknowledged(), 0)
  await expect.poll(acknowledged).toBeGreaterThan(50)
  const during = await auditVerify(dataFolder)
  expect(during).toMatchObject({ code: 0, output: expect.stringContaining(CLEAN) })
  await Promise.all(changes.map((change) => change.stop()))
  expect(await product.stop()).toBe(0)
  const after = await auditVerify(dataFolder)
  expect(after).toMatchObject({ code: 0, output: expect.stringContaining(CLEAN) })
  // The sign-in has an entry too.
  expect(linesIn(after.output)).toBe(acknowledged() + 1)
  expect(after.output).not.toContain(NOT_IN_CHAIN)
  expect(after.output).not.toContain(NOT_COVERED)
})

test('after kill -9 during changes the log is intact, and the next start signs all of it', async () => {
  product = await startProduct({ dataFolder, port: await freePort(), cameras: false })
  const changes = await manyChanges(4)
  await expect.poll(() => changes.every((change) => change.acknowledged() > 5)).toBe(true)
  await product.killAll()
  await Promise.all(changes.map((change) => change.over))
  expect(await auditVerify(dataFolder)).toMatchObject({ code: 0, output: expect.stringContaining(CLEAN) })
  product = await startProduct({ dataFolder, port: await freePort(), cameras: false })
  await expect
    .poll(async () => (await auditVerify(dataFolder)).output, { timeout: 15_000, interval: 500 })
    .not.toContain(NOT_IN_CHAIN)
  expect(await auditVerify(dataFolder)).toMatchObject({ code: 0, output: expect.stringContaining(CLEAN) })
})

test('a changed entry is reported with its position, with the product running or stopped', async () => {
  const db = openProductDatabase(dataFolder)
  const { rows } = await sql<{ account_id: number; audit_log_id: number; sequence: number }>`
    select account_id, audit_log_id, sequence from audit_chain where sequence = 5 limit 1`.execute(db.plain)
  const [{ account_id, audit_log_id, sequence } = { account_id: 0, audit_log_id: 0, sequence: 0 }] = rows
  const change = (action: string) =>
    db.plain.updateTable('audit_log').set({ action }).where('audit_log_id', '=', audit_log_id).execute()
  await change('play')
  const told = {
    code: 1,
    output: expect.stringContaining(
      `! account ${account_id}, sequence ${sequence}, entry ${audit_log_id}: the entry was changed\n1 finding.\n`,
    ),
  }
  expect(await auditVerify(dataFolder)).toMatchObject(told)
  expect(await auditVerify(dataFolder, '--account', String(account_id))).toMatchObject(told)
  expect(await auditVerify(dataFolder, '--account', '1')).toMatchObject({ code: 0 })
  await db[Symbol.asyncDispose]()
  expect(await product.stop()).toBe(0)
  expect(await auditVerify(dataFolder)).toMatchObject(told)
})

test('a copy of the checkpoints or a noted key reveals tampering that the data folder alone does not', async () => {
  const folder = await newDataFolder()
  const copy = join(folder, 'copy.ndjson')
  const noted = join(folder, 'key.pem')
  await copyFile(join(dataFolder, 'audit/checkpoints.ndjson'), copy)
  const { output: pem } = await auditVerify(dataFolder, '--public-key')
  expect(pem).toMatch(/^-----BEGIN PUBLIC KEY-----/)
  await writeFile(noted, pem)
  expect((await auditVerify(dataFolder, '--checkpoints', copy, '--key', noted)).output).toContain('\n1 finding.\n')
  const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' })
  await writeFile(noted, other)
  expect((await auditVerify(dataFolder, '--key', noted)).output).toContain(
    'the signature is not valid: it was signed with key',
  )
  const lines = (await readFile(copy, 'utf8')).split('\n')
  await writeFile(copy, lines.with(0, lines[1] ?? '').join('\n'))
  expect((await auditVerify(dataFolder, '--checkpoints', copy)).output).toContain('comes after checkpoint')
  await rm(folder, { recursive: true })
})

test('an unreadable key stops the verification', async () => {
  const refused = { code: 2, output: 'Could not read /nowhere as a public key in PEM format.\n' }
  expect(await auditVerify(dataFolder, '--key', '/nowhere')).toEqual(refused)
})
