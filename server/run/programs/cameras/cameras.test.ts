import { type Db, idSource } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from './commands.ts'
import { readCommand } from './options.ts'

const ACCOUNT = 1001
const encryption = envelopeEncryption(Buffer.alloc(32, 7))

let database: TestDatabase
let owner: Db
beforeAll(async () => {
  database = await testDatabase()
  owner = database.db('owner')
  await owner.plain.insertInto('distributors').values({ distributor_id: 1, name: 'Distributor' }).execute()
  await owner.plain.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'R' }).execute()
  await owner.plain
    .insertInto('accounts')
    .values({ account_id: ACCOUNT, reseller_id: 255, name: 'Shop', max_cameras: 3 })
    .execute()
  await owner.plain.insertInto('zones').values({ account_id: ACCOUNT, zone_id: 7, name: 'Shop' }).execute()
})
afterAll(() => database[Symbol.asyncDispose]())

const asked: string[] = []
async function run(...words: string[]): Promise<string> {
  const command = readCommand(words)
  if (!command.ok) return command.failure
  const result = await runCommand(command.value, {
    db: owner,
    ids: idSource(owner),
    encryption,
    clock: { now: Date.now },
    askPassword: async (question) => {
      asked.push(question)
      return 'camera secret'
    },
    waitMs: 0,
  })
  return result.ok ? result.value : result.failure
}

const rowOf = (name: string) =>
  owner.plain.selectFrom('cameras').selectAll().where('name', '=', name).executeTakeFirstOrThrow()

describe('adding a camera', () => {
  test('writes it into the only account and its first zone, with the password encrypted', async () => {
    const said = await run('add', '--name', 'Door', '--address', '192.168.1.64', '--user', 'viewer')
    expect(said).toContain('still being added')
    expect(asked).toEqual(['Password of viewer: '])
    const row = await rowOf('Door')
    expect(row).toMatchObject({
      account_id: ACCOUNT,
      zone_id: 7,
      address: '192.168.1.64',
      addition_status: 'inProgress',
    })
    const context = { accountId: ACCOUNT, table: 'cameras', row: row.camera_id, column: 'password_sealed' }
    expect(encryption.open(context, row.password_sealed ?? Buffer.alloc(0))).toBe('camera secret')
    const log = await owner.plain.selectFrom('audit_log').select(['action', 'client_id', 'after']).execute()
    expect(log).toMatchObject([{ action: 'postCamera', client_id: 'operator', after: { name: 'Door' } }])
    expect(JSON.stringify(log)).not.toContain('secret')
  })

  test('takes a sub-stream, and TLS', async () => {
    const streams = ['--path', '/main', '--sub-path', '/sub', '--tls']
    await run('add', '--name', 'Gate', '--address', '192.168.1.66', ...streams)
    const row = await rowOf('Gate')
    expect(row).toMatchObject({ rtsp_port: 322, main_path: '/main', sub_path: '/sub', stream_secure: true })
    await owner.plain.deleteFrom('cameras').where('camera_id', '=', row.camera_id).execute()
    expect(await run('add', '--name', 'Gate', '--address', '192.168.1.66', '--sub-path', '/sub')).toContain(
      'subStreamPath',
    )
  })

  test('says how it went', async () => {
    const add = () => run('add', '--name', 'Yard', '--address', '192.168.1.65', '--path', '/main')
    await add()
    const { camera_id } = await rowOf('Yard')
    const finish = (status: 'added' | 'failure', reason: string) =>
      owner.plain
        .updateTable('cameras')
        .set({ addition_status: status, addition_sub_status: reason })
        .where('camera_id', '=', camera_id)
        .execute()
    await finish('failure', 'deviceOffline')
    expect(await run('list')).toContain('192.168.1.65  not added  Yard')
    // Tried again under the same id.
    expect(await add()).toContain(String(camera_id))
    await finish('added', 'none')
    expect(await add()).toContain('already been added')
  })

  test.each([
    [['add', '--name', 'X'], 'add needs --name and --address.'],
    [['add', '--name', 'X', '--address', 'rtsp://camera/main'], 'address: '],
    [['add', '--name', 'X', '--address', 'camera', '--port', 'many'], '--port must be a number.'],
    [['add', '--name', 'X', '--address', 'camera', '--account', '5'], 'Account 5 not found.'],
    [['add', '--name', 'X', '--address', 'camera', '--zone', 'Roof'], 'Zone not found. The account has: Shop.'],
    [['paint'], 'Unknown command paint.'],
  ])('%j is refused with a sentence', async (words, sentence) => {
    expect(await run(...words)).toContain(sentence)
  })

  test('beyond the slots of the account it says so', async () => {
    await run('add', '--name', 'Third', '--address', '192.168.1.66', '--path', '/main')
    const full = await run('add', '--name', 'Fourth', '--address', '192.168.1.67', '--path', '/main')
    expect(full).toContain('not enough camera slots')
  })
})

test('networks are assigned to an account and withdrawn, with lines in its audit log', async () => {
  expect(await run('networks')).toContain('Every account has those of SIGHTLINE_CAMERA_NETWORKS')
  const assigned = `${ACCOUNT}  192.168.1.0/24\n`
  expect(await run('networks', '--assign', '192.168.1.0/24')).toBe(assigned)
  expect(await run('networks', '--account', String(ACCOUNT))).toBe(assigned)
  for (const [network, sentence] of [
    ['everything', 'is not a network'],
    ['192.168.1.1/24', 'has bits beyond the prefix'],
  ] as const)
    expect(await run('networks', '--assign', network)).toContain(sentence)
  expect(await run('networks', '--withdraw', '10.0.0.0/8')).toContain('is not assigned')
  expect(await run('networks', '--withdraw', '192.168.1.0/24')).toContain('No networks are assigned')
  const log = owner.plain.selectFrom('audit_log').select(['action', 'before', 'after']).orderBy('after')
  expect(await log.where('action', '=', 'cameraNetworksChanged').execute()).toMatchObject([
    { before: null, after: { network: '192.168.1.0/24' } },
    { before: { network: '192.168.1.0/24' }, after: null },
  ])
})
