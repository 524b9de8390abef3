import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { addressRule } from '@sightline/platform/network-address'
import type { DownloadRules } from './index.ts'

/** A self-signed certificate for `localhost` and 127.0.0.1; only these tests trust it. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUKIQ54WlxlM4+rNSaIRGcwHamun0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE5MzAxN1oYDzIxMjYxMDI5
MTkzMDE3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARSXF+rHEeNvGW+kHnFx7LriOTMr+UITuVnVuN2cfqXVAbOD6YmRj49
sWXEO2SBCAQ451tsOzZBp2lI5RfA2p+ko28wbTAdBgNVHQ4EFgQUckNnNf2VbFZQ
Uvy7Xumk3sK1ASIwHwYDVR0jBBgwFoAUckNnNf2VbFZQUvy7Xumk3sK1ASIwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhALVfb5FoW3o8Yjs9gm8dVr94Mqw7+qNj7/YfwYBXv5ulAiEA
1dZW1AVjoJykww3i7tnoB2MZ1lKDyHgMsFOHj6W8xsI=
-----END CERTIFICATE-----`
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwxB2m+mjN1Ef+7I/
z4sMdMz4PK2AhfmXe7nGIaJU70ChRANCAARSXF+rHEeNvGW+kHnFx7LriOTMr+UI
TuVnVuN2cfqXVAbOD6YmRj49sWXEO2SBCAQ451tsOzZBp2lI5RfA2p+k
-----END PRIVATE KEY-----`

export type PictureReply = (req: IncomingMessage, res: ServerResponse) => void

export interface PictureHost extends AsyncDisposable {
  /** `https://127.0.0.1:port` */
  readonly origin: string
  /** The requested paths, in order. */
  readonly asked: readonly string[]
}

/** A host with pictures on this machine, by path. For tests. */
export async function startPictureHost(replies: Readonly<Record<string, PictureReply>>): Promise<PictureHost> {
  const asked: string[] = []
  const server = createServer({ cert, key }, (req, res) => {
    const path = req.url ?? '/'
    asked.push(path)
    const reply = replies[path]
    if (reply === undefined) res.writeHead(404).end()
    else reply(req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** This machine counts as the public internet, and everything else is checked as in the product. */
export const thisMachine: DownloadRules = {
  mayReach: addressRule({ allowed: ['127.0.0.0/8'] }),
  ca: cert,
  timeoutMs: 5000,
}
/** As in the product, but the host of the tests would be trusted. */
export const internetOnly: DownloadRules = { ...thisMachine, mayReach: addressRule({ allowed: [] }) }

export const file =
  (content: Buffer | string, type = 'image/png'): PictureReply =>
  (_req, res) =>
    void res.writeHead(200, { 'content-type': type }).end(content)
export const redirect =
  (to: string): PictureReply =>
  (_req, res) =>
    void res.writeHead(302, { location: to }).end()
