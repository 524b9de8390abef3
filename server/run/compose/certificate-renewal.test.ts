import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { loadKeyPair } from '@sightline/edge'
import { selfSignedPair } from '@sightline/platform/certificate'
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

test('new connections of rtsps get a renewed certificate; half of one changes nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-renewal-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [certFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const pairFor = (name: string) =>
    selfSignedPair({ names: [name], notBefore: Date.now() - 60_000, notAfter: Date.now() + 600_000 })
  const [old, renewed] = [pairFor('old.example'), pairFor('renewed.example')]
  await writeFile(certFile, old.cert)
  await writeFile(keyFile, old.key)
  const read = () => loadKeyPair({ kind: 'certificate', certFile, keyFile }, systemClock)
  const loaded = await read()
  if (!loaded.ok) throw new Error(loaded.failure)
  const port = await freePort()
  const opened = await listenForRtsp({ host, port, keyPair: loaded.value, open: () => undefined })
  if (!opened.ok) throw new Error(opened.failure)
  onTestFinished(() => opened.value[Symbol.asyncDispose]())
  const watching = await watchCertificate({ read, onRenewed: opened.value.renew, log: silentLogger, everyMs: 20 })
  onTestFinished(() => watching[Symbol.dispose]())
  const shown = async () => {
    const socket = connect({ host, port, rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    const name = socket.getPeerCertificate().subjectaltname
    socket.destroy()
    return name
  }
  expect(await shown()).toContain('old.example')
  await writeFile(certFile, renewed.cert)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await shown()).toContain('old.example')
  await writeFile(keyFile, renewed.key)
  await expect.poll(shown).toContain('renewed.example')
})
