import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 200

/**
 * Does `work` while no other process of this user does work of that name: two starts in one fresh checkout must not
 * both write its node_modules. The place of one that was killed is taken over.
 */
export async function holdWhile(name, work) {
  const id = createHash('sha256').update(name).digest('hex').slice(0, 16)
  const file = join(tmpdir(), `sightline-${process.getuid?.() ?? 0}-${id}.pid`)
  let isWaiting = false
  while (!take(file)) {
    if (!isWaiting) console.log('Waiting for another start that is preparing this folder …')
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

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isHolderAlive(file)) rmSync(file, { force: true })
    return false
  }
}

function isHolderAlive(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
