import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type DownloadRules, download, MAX_DOWNLOAD_BYTES } from './download.ts'

export { type DownloadRules, publicInternet } from './download.ts'

const MAX_DECODING_MS = 10_000
/** The limits of the thread. */
const resourceLimits = { maxOldGenerationSizeMb: 256 }

const TOO_SLOW = 'This picture takes too long to read. Save it as a plain PNG file and try again.'
const UNREADABLE = 'The picture can’t be read. Embed a PNG or JPEG file as base64.'
const EMBEDDED = /^data:image\/[a-z+.-]+((?:;[a-z-]+=[^;,]*)*)(;base64)?,(.*)$/is

/**
 * A brand's picture as the product serves it: a new PNG as a `data:` address, so that a customer's browser never
 * contacts the reseller's host. A path of our own host is returned unchanged. A failure is a sentence for the staff
 * member who chose the picture.
 */
export async function ownPicture(picture: string, rules: DownloadRules): Promise<Result<string, string>> {
  if (picture.startsWith('/')) return ok(picture)
  const file = picture.startsWith('data:') ? embeddedFile(picture) : await download(picture, rules)
  if (!file.ok) return file
  const png = await reencoded(file.value)
  return png.ok ? ok(`data:image/png;base64,${Buffer.from(png.value).toString('base64')}`) : png
}

function embeddedFile(address: string): Result<Buffer, string> {
  const [, , base64, content = ''] = EMBEDDED.exec(address) ?? []
  try {
    const file = base64 === undefined ? Buffer.from(decodeURIComponent(content)) : Buffer.from(content, 'base64')
    return file.length > MAX_DOWNLOAD_BYTES ? fail(UNREADABLE) : ok(file)
  } catch {
    return fail(UNREADABLE)
  }
}

async function reencoded(file: Buffer): Promise<Result<Uint8Array, string>> {
  const worker = new Worker(new URL('./reencoding-thread.ts', import.meta.url), { workerData: file, resourceLimits })
  try {
    const [answer] = await once(worker, 'message', { signal: AbortSignal.timeout(MAX_DECODING_MS) })
    return answer as Result<Uint8Array, string>
  } catch {
    return fail(TOO_SLOW)
  } finally {
    await worker.terminate()
  }
}
