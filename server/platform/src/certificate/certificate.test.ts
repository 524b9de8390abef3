import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { authorityPair, issuedPair, type KeyPair } from './index.ts'

const now = Date.now()
const validity = { notBefore: now - 60_000, notAfter: now + 3_600_000 }
const NAME = 'Machines'
const newAuthority = () => authorityPair({ names: [NAME], ...validity })
const issue = ({ key }: KeyPair, name: string, use: 'server' | 'client') =>
  issuedPair({ names: [name], use, ...validity }, { name: NAME, key: createPrivateKey(key) })

/** Whether two ends that trust an authority accept each other. */
async function meet(ca: string, ends: { readonly server: KeyPair; readonly client: KeyPair }): Promise<string> {
  const server = createServer({ ...ends.server, ca, requestCert: true, rejectUnauthorized: true })
  const refused = once(server, 'tlsClientError').then(
    ([error]) => `server: ${(error as Error & { code?: string }).code}`,
  )
  refused.catch(() => undefined)
  const accepted = once(server, 'secureConnection').then(([socket]) => (socket as TLSSocket).end('hello'))
  accepted.catch(() => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect({ port, host: '127.0.0.1', ...ends.client, ca, servername: 'front' })
  const failed = new Promise<string>((resolve) =>
    client.on('error', (error: Error & { code?: string }) => resolve(`client: ${error.code}`)),
  )
  const met = once(client, 'data').then(String)
  met.catch(() => undefined)
  const result = await Promise.race([met, refused, failed])
  client.destroy()
  server.close()
  return result
}

test('two ends with certificates of one authority accept each other', async () => {
  const authority = newAuthority()
  const ends = { server: issue(authority, 'front', 'server'), client: issue(authority, 'north', 'client') }
  expect(await meet(authority.cert, ends)).toBe('hello')
  const certificate = new X509Certificate(ends.client.cert)
  expect(certificate.subject).toBe('CN=north')
  expect(certificate.checkIssued(new X509Certificate(authority.cert))).toBe(true)
  expect(certificate.ca).toBe(false)
})

test('a certificate of another authority with the same name is refused', async () => {
  const [authority, other] = [newAuthority(), newAuthority()]
  const server = issue(authority, 'front', 'server')
  expect(await meet(authority.cert, { server, client: issue(other, 'north', 'client') })).toMatch(/^server: /)
})

test('a machine can’t pretend to be the front with its own certificate', async () => {
  const authority = newAuthority()
  const client = issue(authority, 'north', 'client')
  expect(await meet(authority.cert, { server: issue(authority, 'front', 'client'), client })).toBe(
    'client: INVALID_PURPOSE',
  )
  expect(await meet(authority.cert, { server: issue(authority, 'south', 'server'), client })).toBe(
    'client: ERR_TLS_CERT_ALTNAME_INVALID',
  )
})

test('a certificate that isn’t an authority’s signs nothing', async () => {
  const authority = newAuthority()
  const server = issue(authority, 'front', 'server')
  const stolen = issue(authority, 'north', 'client')
  const forged = issuedPair(
    { names: ['south'], use: 'client', ...validity },
    { name: 'north', key: createPrivateKey(stolen.key) },
  )
  const client = { key: forged.key, cert: forged.cert + stolen.cert }
  expect(await meet(authority.cert, { server, client })).toMatch(/^server: /)
})
