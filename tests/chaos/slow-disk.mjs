/**
 * Loaded into the product's processes before their program (`node --import`): the media worker's disk becomes as slow as the file
 * says that the parameter `control` of this module's address names: milliseconds that each sync takes longer, or `hang`, which writes
 * do too. Each of them keeps a thread of libuv meanwhile, as a real disk does. `fifo` names a pipe for that.
 */
import { readFileSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'

const POLL_MS = 50
const { searchParams } = new URL(import.meta.url)
const control = searchParams.get('control')
const isWorker = /\/media-worker\.mjs$|\/programs\/media\.ts$/.test(process.argv[1] ?? '')

const said = () => {
  const text = readFileSync(control, 'utf8').trim()
  return text === 'hang' ? 'hang' : Number(text)
}

if (isWorker) {
  // Open for reading and writing, so that neither opening nor writing waits.
  const fifo = await open(searchParams.get('fifo'), 'r+')
  const handle = Object.getPrototypeOf(fifo)
  const { read, write, writev, sync, datasync } = handle
  // Not by a thread: all of them may be waiting.
  const release = () => writeSync(fifo.fd, Buffer.of(0))
  const releaseLater = (ms) =>
    setTimeout(() => {
      if (said() === 'hang') releaseLater(POLL_MS)
      else release()
    }, ms)
  const wait = async (ms) => {
    releaseLater(ms)
    await read.call(fifo, Buffer.alloc(1), 0, 1)
  }
  const slow = (original, isSync) =>
    async function (...words) {
      const delay = said()
      if (delay === 'hang') await wait(POLL_MS)
      else if (isSync && delay > 0) await wait(delay)
      return await original.apply(this, words)
    }
  Object.assign(handle, {
    sync: slow(sync, true),
    datasync: slow(datasync, true),
    write: slow(write, false),
    writev: slow(writev, false),
  })
}
