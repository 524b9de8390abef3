import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { addressRule, checkedLookup } from '@sightline/platform/network-address'
import { fail, ok, type Result } from '@sightline/platform/result'

/** The allowed sources of pictures. */
export interface DownloadRules {
  /** Whether a connection to a numeric address is allowed. */
  readonly mayReach: (address: string) => boolean
  /** Trusted certificates instead of the public authorities, PEM. */
  readonly ca?: string
  readonly timeoutMs: number
}

/** Only the public internet: a reseller must not learn what responds in the operator's network. */
export const publicInternet: DownloadRules = { mayReach: addressRule({ allowed: [] }), timeoutMs: 10_000 }

export const MAX_DOWNLOAD_BYTES = 1024 * 1024
const MAX_REDIRECTS = 3

/** Rejected, closed and filtered connections look the same, so responses reveal nothing about a network. */
const UNREACHABLE =
  'Couldn’t download the picture. Check that its address starts with https:// and opens on the public internet.'
const TOO_LARGE = 'The picture is larger than 1 MiB. Use a smaller file.'

/**
 * Downloads an https: address of a reseller. A name is resolved once, all of its addresses are checked, and the
 * connection goes to a checked one. A redirect is checked in the same way. A failure is a sentence.
 */
export async function download(address: string, rules: DownloadRules): Promise<Result<Buffer, string>> {
  const signal = AbortSignal.timeout(rules.timeoutMs)
  let next = address
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const url = URL.canParse(next) ? new URL(next) : undefined
    if (url === undefined || !isAllowed(url, rules)) return fail(UNREACHABLE)
    const answer = await get(url, rules, signal)
    if (!answer.ok) return answer
    if (Buffer.isBuffer(answer.value)) return ok(answer.value)
    next = answer.value.redirect
  }
  return fail(UNREACHABLE)
}

/** A numeric address isn't resolved, so it is checked here. */
function isAllowed(url: URL, { mayReach }: DownloadRules): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  return isIP(host) === 0 || mayReach(host)
}

type Answer = Buffer | { readonly redirect: string }

function get(url: URL, { mayReach, ca }: DownloadRules, signal: AbortSignal): Promise<Result<Answer, string>> {
  const { promise, resolve: settle } = Promise.withResolvers<Result<Answer, string>>()
  const headers = { accept: 'image/png, image/jpeg', 'accept-encoding': 'identity' }
  // Without an agent: an open connection was checked for another address.
  const options = {
    headers,
    agent: false,
    lookup: checkedLookup(mayReach),
    signal,
    ...(ca === undefined ? {} : { ca }),
  }
  const req = request(url, options, (res) => {
    void read(res, url)
      .catch(() => fail(UNREACHABLE))
      .then((answer) => {
        settle(answer)
        req.destroy()
      })
  })
  req.on('error', () => settle(fail(UNREACHABLE)))
  req.end()
  return promise
}

async function read(res: IncomingMessage, url: URL): Promise<Result<Answer, string>> {
  const { statusCode = 0, headers } = res
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    return URL.canParse(headers.location, url.href)
      ? ok({ redirect: new URL(headers.location, url).href })
      : fail(UNREACHABLE)
  }
  if (statusCode !== 200) return fail(UNREACHABLE)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of res as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_DOWNLOAD_BYTES) return fail(TOO_LARGE)
    chunks.push(chunk)
  }
  return ok(Buffer.concat(chunks))
}
