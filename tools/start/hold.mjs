import { createHash } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 200

/**
 * Runs `work` while no other process of this user runs work with that name: two starts in a new checkout must not both
 * write its node_modules. Takes over the lock of a killed process.
 */
export async function holdWhile(name, work) {
  const id = createHash('sha256').update(name).digest('hex').slice(0, 16)
  const file = join(tmpdir(), `sightline-${process.getuid?.() ?? 0}-${id}.pid`)
  let isWaiting = false
  while (!take(file)) {
    if (!isWaiting) console.log('Waiting for another "npm start" that is setting up this folder …')
    isWaiting = true
    await sleep(POLL_MS)
  }
  const giveBack = () => rmSync(file, { force: true })
  process.once('exit', giveBack)
  try {
    return await work()
  } finally {
    process.removeListener('exit', giveBack)
    giveBack()
  }
}

/** Creating a link is atomic, so readers never see a lock without its holder. */
function take(file) {
  const mine = `${file}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  try {
    linkSync(mine, file)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    const holder = readIfThere(file)
    if (holder !== undefined && !isAlive(Number(holder))) removeUnlessChanged(file, holder)
    return false
  } finally {
    rmSync(mine, { force: true })
  }
}

/** If two processes find the same dead holder, the slower one must not remove the new lock of the faster one. */
function removeUnlessChanged(file, holder) {
  const aside = `${file}.${process.pid}.old`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  if (readIfThere(aside) === holder) rmSync(aside)
  else renameSync(aside, file)
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

export function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
