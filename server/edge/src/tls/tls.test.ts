import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MS_PER_DAY, manualClock, systemClock } from '@sightline/platform/clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadKeyPair } from './index.ts'
import { selfSigned } from './self-signed.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-tls-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('self-signed certificate', () => {
  test('browsers can use it: TLS with its name and address', async () => {
    const pair = await selfSigned(
      folder,
      ['cams.local', '127.0.0.1', '::1', '2001:db8::ff00:42:8329', '::ffff:192.0.2.1'],
      systemClock,
    )
    const certificate = new X509Certificate(pair.cert)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    for (const address of ['127.0.0.1', '::1', '2001:db8:0:0:0:ff00:42:8329']) {
      expect(certificate.checkIP(address)).toBe(address)
    }
    const server = createServer(pair, (_req, res) => res.end('hello'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const ask = (servername: string | undefined, ca: string) =>
      new Promise<string>((resolve, reject) => {
        get({ host: '127.0.0.1', port, ca, ...(servername ? { servername } : {}), agent: false }, (res) => {
          res.on('data', (chunk: Buffer) => resolve(chunk.toString()))
        }).on('error', reject)
      })
    expect(await ask(undefined, pair.cert)).toBe('hello')
    expect(await ask('cams.local', pair.cert)).toBe('hello')
    await expect(ask('other.local', pair.cert)).rejects.toThrow(/Hostname|altnames/)
    server.close()
  })
  test("it is saved, readable only by its owner, and isn't an authority", async () => {
    const first = await selfSigned(folder, ['127.0.0.1'], systemClock)
    expect(await selfSigned(folder, ['127.0.0.1'], systemClock)).toEqual(first)
    expect((await stat(join(folder, 'edge-key.pem'))).mode & 0o777).toBe(0o600)
    const certificate = new X509Certificate(first.cert)
    expect(certificate.ca).toBe(false)
    expect(Date.parse(certificate.validTo) - Date.now()).toBeLessThan(398 * MS_PER_DAY)
  })
  test('it is renewed near its expiry and for additional names', async () => {
    const first = await selfSigned(folder, ['a.local'], systemClock)
    const second = await selfSigned(folder, ['a.local', 'b.local'], systemClock)
    expect(second.cert).not.toBe(first.cert)
    const later = await selfSigned(folder, ['a.local'], manualClock(Date.now() + 368 * MS_PER_DAY))
    expect(later.cert).not.toBe(second.cert)
  })
  test('every serial number is positive', async () => {
    for (let i = 0; i < 40; i++) {
      const { cert } = await selfSigned(join(folder, `n${i}`), ['a.local'], systemClock)
      expect(new X509Certificate(cert).serialNumber).toMatch(/^[0-9A-F]{1,32}$/)
    }
  })
})

describe('a configured certificate', () => {
  test("that can't be used gives a message with the file names", async () => {
    const certFile = join(folder, 'cert.pem')
    await writeFile(certFile, 'no certificate')
    const answer = await loadKeyPair({ kind: 'certificate', certFile, keyFile: join(folder, 'gone.pem') }, systemClock)
    expect(!answer.ok && answer.failure).toContain(certFile)
  })
  test('that matches its key is used', async () => {
    await selfSigned(folder, ['a.local'], systemClock)
    const files = { certFile: join(folder, 'edge-certificate.pem'), keyFile: join(folder, 'edge-key.pem') }
    expect((await loadKeyPair({ kind: 'certificate', ...files }, systemClock)).ok).toBe(true)
  })
})
