import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLocalRequest } from '@sightline/edge'
import type { Logger } from '@sightline/platform/log'
import type { MailFolder } from '@sightline/platform/mail'
import { type MailPage, pageOfAll, pageOfMail, pageOfNone, STYLE_HASH } from './captured-mail-html.ts'
import { MAIL_PATH, type MailKey } from './mail-key.ts'

export type Handle = (req: IncomingMessage, res: ServerResponse) => void

export interface CapturedMailDeps {
  readonly folder: MailFolder
  readonly key: Pick<MailKey, 'exchange' | 'isLetIn'>
  readonly log: Logger
}

/**
 * Pages that show captured emails: a list, one email, and its document alone, which has no rights. Read only, without
 * script. They respond only to this machine, and only to a browser that came by the printed link: a proxy that adds no
 * header looks like this machine. Everyone else gets "not found".
 */
export const capturedMailPages =
  ({ folder, key, log }: CapturedMailDeps) =>
  (otherwise: Handle): Handle =>
  (req, res) => {
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
    if (!path.startsWith(MAIL_PATH) || !isLocalRequest(req)) return otherwise(req, res)
    const cookie = opensList(req, path) ? key.exchange(req) : undefined
    if (cookie !== undefined) return letIn(res, cookie)
    if (!key.isLetIn(req)) return otherwise(req, res)
    answer(path.slice(MAIL_PATH.length), { req, res, folder }).catch((err: unknown) => {
      log.error({ err }, 'could not read the captured emails')
      sendFailure(res)
    })
  }

const opensList = ({ method }: IncomingMessage, path: string): boolean => path === MAIL_PATH && method === 'GET'

function sendFailure(res: ServerResponse): void {
  if (res.headersSent) res.destroy()
  else res.writeHead(500, { 'content-length': '0' }).end()
}

/** Removes the key from the address. */
function letIn(res: ServerResponse, cookie: string): void {
  const headers = {
    location: MAIL_PATH,
    'set-cookie': cookie,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  }
  res.writeHead(303, { ...headers, 'content-length': '0' }).end()
}

interface Asked {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly folder: MailFolder
}

async function answer(rest: string, { req, res, folder }: Asked): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    res.writeHead(405, { allow: 'GET, HEAD', 'content-length': '0' }).end()
    return
  }
  if (rest === '') return send({ req, res }, 200, pageOfAll(await folder.list()))
  const [, id = '', view = ''] = /^([\d.]{1,40})(\/document)?$/.exec(rest) ?? []
  const mail = id === '' ? undefined : await folder.find(id)
  if (mail === undefined) return send({ req, res }, 404, pageOfNone())
  if (view === '') return send({ req, res }, 200, pageOfMail(mail))
  // Links open in a new tab, because the document stays in its frame.
  const html = mail.html.replace('<head>', '<head><base target="_blank">')
  send({ req, res }, 200, { html, policy: DOCUMENT_POLICY })
}

/**
 * The email as sent, with its embedded pictures: no script, no form, nothing from any host; links open in a new tab as
 * ordinary pages.
 */
const DOCUMENT_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ')

const PAGE_POLICY = [
  "default-src 'none'",
  `style-src '${STYLE_HASH}'`,
  'img-src data:',
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function send({ req, res }: Omit<Asked, 'folder'>, status: number, { html, policy = PAGE_POLICY }: MailPage): void {
  const body = Buffer.from(html)
  res.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}
