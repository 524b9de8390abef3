import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { debianPostgres } from './debian-tools.ts'

/** Debian's database server with a separate cluster, like an operator's: reached by address and password. */
export interface ExternalPostgres extends AsyncDisposable {
  /** URL for the superuser; the tests create databases. */
  readonly url: string
}

interface Identity {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root, so root runs it as Debian's postgres user. */
function identity(): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout),
  )
  return uid && gid ? { uid, gid } : { uid: 65_534, gid: 65_534 }
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const server = createServer().once('error', reject)
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
  })
  return promise
}

/** Creates a cluster in a temporary folder and waits until it responds. Undefined if Debian's PostgreSQL is missing. */
export async function startExternalPostgres(): Promise<ExternalPostgres | undefined> {
  const bin = debianPostgres()
  if (bin === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'external-postgres-'))
  const who = identity()
  const password = randomBytes(18).toString('base64url')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (who !== undefined) for (const path of [folder, passwordFile]) chownSync(path, who.uid, who.gid)

  const data = join(folder, 'data')
  const asUser = { ...who, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } }
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync', '-E', 'UTF8'],
    { ...asUser, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? ''}${made.stderr}`)
  const port = await freePort()
  const settings = ['fsync=off', 'max_connections=300'].flatMap((setting) => ['-c', setting])
  // Ends when this process ends for any reason.
  const server = spawn(
    'setpriv',
    [
      '--pdeathsig',
      'INT',
      join(bin, 'postgres'),
      '-D',
      data,
      '-p',
      String(port),
      '-k',
      folder,
      '-h',
      '127.0.0.1',
      ...settings,
    ],
    { ...asUser, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  server.stderr.on('data', (chunk) => {
    log = `${log}${chunk}`.slice(-20_000)
  })
  const ended = Promise.withResolvers<void>()
  server.once('exit', () => ended.resolve())
  await answers({ bin, port, alive: () => server.exitCode === null, log: () => log })
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      server.kill('SIGINT')
      await ended.promise
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(server: { bin: string; port: number; alive: () => boolean; log: () => string }): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (!server.alive()) throw new Error(`the external PostgreSQL ended at once: ${server.log()}`)
    if (spawnSync(join(server.bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(server.port)]).status === 0)
      return
    await setTimeout(100)
  }
  throw new Error(`the external PostgreSQL does not answer after 30 s: ${server.log()}`)
}
