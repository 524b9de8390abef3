import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-start-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(10)
}

async function contentOf(file: string): Promise<string> {
  while (!existsSync(file)) await sleep(10)
  return readFile(file, 'utf8')
}

interface Started {
  readonly starter: ChildProcess
  readonly starterEnd: Promise<number | string | null>
  readonly serverPid: number
}

/** Runs the starter's `runServer` on a server with this body in a separate process, like npm or by hand. */
async function startServer(body: string, environment: Record<string, string> = {}): Promise<Started> {
  const server = join(folder, 'server.mjs')
  const pidFile = join(folder, 'pid')
  await writeFile(
    server,
    `import { renameSync, writeFileSync } from 'node:fs'
     process.on('disconnect', () => process.exit(0))
     setInterval(() => undefined, 1000)
     ${body}
     writeFileSync('${pidFile}.new', String(process.pid))
     renameSync('${pidFile}.new', '${pidFile}')`,
  )
  const code = `const { runServer } = await import('${new URL('./server.mjs', import.meta.url)}')
    process.exitCode = await runServer(process.execPath, ['${server}'])`
  const starter = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: environment,
    stdio: 'ignore',
    detached: true,
  })
  const starterEnd = new Promise<number | string | null>((resolve) =>
    starter.once('exit', (exitCode, signal) => resolve(signal ?? exitCode)),
  )
  return { starter, starterEnd, serverPid: Number(await contentOf(pidFile)) }
}

const STOPS = `process.on('SIGTERM', () => process.exit(0))`
const COUNTS = `let asked = 0
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => {
    asked += 1
    setTimeout(() => { writeFileSync('SAID', String(asked)); process.exit(0) }, 300)
  })`

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s stops the server and ends with 0', async (signal) => {
  const { starter, starterEnd, serverPid } = await startServer(STOPS)
  starter.kill(signal)
  expect(await starterEnd).toBe(0)
  expect(isAlive(serverPid)).toBe(false)
})

test('Ctrl-C stops the server once, although the terminal and npm both send it', async () => {
  const said = join(folder, 'said')
  const { starter, starterEnd } = await startServer(COUNTS.replace("'SAID'", JSON.stringify(said)))
  const group = -(starter.pid ?? 0)
  process.kill(group, 'SIGINT')
  starter.kill('SIGINT')
  await starterEnd
  expect(await readFile(said, 'utf8')).toBe('1')
})

test('a server whose starter is killed ends automatically', async () => {
  const { starter, serverPid } = await startServer(STOPS)
  starter.kill('SIGKILL')
  await untilGone(serverPid)
  expect(isAlive(serverPid)).toBe(false)
})

test('when npm is killed, the starter stops the server', async () => {
  const asNpm = join(folder, 'npm.mjs')
  const { serverPid, kill } = await startBelow(asNpm)
  kill()
  await untilGone(serverPid)
  expect(isAlive(serverPid)).toBe(false)
})

/** Starts the starter as the child of a process that represents npm; `kill` kills only that process. */
async function startBelow(parentFile: string): Promise<{ serverPid: number; kill: () => void }> {
  const server = join(folder, 'server.mjs')
  const pidFile = join(folder, 'pid')
  await writeFile(
    server,
    `import { renameSync, writeFileSync } from 'node:fs'
     ${STOPS}
     process.on('disconnect', () => process.exit(0))
     setInterval(() => undefined, 1000)
     writeFileSync('${pidFile}.new', String(process.pid))
     renameSync('${pidFile}.new', '${pidFile}')`,
  )
  const code = `const { runServer } = await import('${new URL('./server.mjs', import.meta.url)}')
    process.exitCode = await runServer(process.execPath, ['${server}'])`
  await writeFile(
    parentFile,
    `import { spawn } from 'node:child_process'
     spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(code)}], { stdio: 'ignore', env: { npm_lifecycle_event: 'start' } })`,
  )
  const parent = spawn(process.execPath, [parentFile], { stdio: 'ignore' })
  return { serverPid: Number(await contentOf(pidFile)), kill: () => parent.kill('SIGKILL') }
}

test('the exit code of the server is passed on', async () => {
  const { starterEnd } = await startServer('setTimeout(() => process.exit(7), 100)')
  expect(await starterEnd).toBe(7)
})

test('two starts prepare a folder one after the other, and a killed process’s lock is taken over', async () => {
  const journal = join(folder, 'journal')
  const code = `import { appendFileSync } from 'node:fs'
    const { holdWhile } = await import('${new URL('./hold.mjs', import.meta.url)}')
    await holdWhile(${JSON.stringify(folder)}, async () => {
      appendFileSync(${JSON.stringify(journal)}, 'in ')
      if (process.env.DIES) process.kill(process.pid, 'SIGKILL')
      await new Promise((resolve) => setTimeout(resolve, 150))
      appendFileSync(${JSON.stringify(journal)}, 'out ')
    })`
  const hold = (env: Record<string, string>) =>
    new Promise((resolve) =>
      spawn(process.execPath, ['--input-type=module', '-e', code], { env, stdio: 'ignore' }).once('exit', resolve),
    )
  await hold({ DIES: 'yes' })
  await Promise.all([hold({}), hold({}), hold({})])
  expect(await readFile(journal, 'utf8')).toBe('in in out in out in out ')
})
