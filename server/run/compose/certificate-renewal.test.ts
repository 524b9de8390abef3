import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { loadKeyPair } from '@sightline/edge'
import { type KeyPair, selfSignedPair } from '@sightline/platform/certificate'
import { systemClock } from '@sightline/platform/clock'
import { silentLogger } from '@sightline/platform/log'
import { expect, onTestFinished, test } from 'vitest'
import { watchCertificate } from './certificate-renewal.ts'
import { listenForRtsp } from './rtsp-port.ts'

const host = '127.0.0.1'

async function freePort(): Promise<number> {
  const other = createServer()
  other.listen(0, host)
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  other.close()
  await once(other, 'close')
  return port
}

/** A certificate in files, a port that uses it, and another certificate that takes its place. */
async function certificateFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-renewal-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const paths = { cert: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') }
  const pairFor = (name: string) =>
    selfSignedPair({ names: [name], notBefore: Date.now() - 60_000, notAfter: Date.now() + 600_000 })
  const write = async (pair: KeyPair, ...parts: readonly (keyof KeyPair)[]) => {
    for (const part of parts) await writeFile(paths[part], pair[part])
  }
  const renewed = pairFor('renewed.example')
  await write(pairFor('old.example'), 'cert', 'key')
  const read = () => loadKeyPair({ kind: 'certificate', certFile: paths.cert, keyFile: paths.key }, systemClock)
  const port = await freePort()
  return {
    read,
    async listen() {
      const loaded = await read()
      if (!loaded.ok) throw new Error(loaded.failure)
      const opened = await listenForRtsp({ host, port, keyPair: loaded.value, open: () => undefined })
      if (!opened.ok) throw new Error(opened.failure)
      onTestFinished(() => opened.value[Symbol.asyncDispose]())
      return opened.value
    },
    renew: (part?: keyof KeyPair) => write(renewed, ...(part === undefined ? (['cert', 'key'] as const) : [part])),
    /** The names of the certificate that new connections get. */
    async shown() {
      const socket = connect({ host, port, rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      const name = socket.getPeerCertificate().subjectaltname
      socket.destroy()
      return name
    },
  }
}

test('a certificate that was renewed between opening the port and watching it counts, too', async () => {
  const { read, listen, renew, shown } = await certificateFiles()
  const opened = await listen()
  await renew()
  const watching = await watchCertificate({ read, onRenewed: opened.renew, log: silentLogger })
  onTestFinished(() => watching[Symbol.dispose]())
  expect(await shown()).toContain('renewed.example')
})

test('new connections of rtsps get a renewed certificate; half of one changes nothing', async () => {
  const { read, listen, renew, shown } = await certificateFiles()
  const opened = await listen()
  const watching = await watchCertificate({ read, onRenewed: opened.renew, log: silentLogger, everyMs: 20 })
  onTestFinished(() => watching[Symbol.dispose]())
  expect(await shown()).toContain('old.example')
  await renew('cert')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await shown()).toContain('old.example')
  await renew('key')
  await expect.poll(shown).toContain('renewed.example')
})
