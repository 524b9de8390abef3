import { fail, ok } from '../result/index.ts'
import { headerText, isMailAddress } from './address.ts'
import type { Deliver, DeliveryFailure, Mail } from './delivery.ts'
import type { SmtpServer } from './smtp-server.ts'

export interface SmtpSettings {
  readonly server: SmtpServer
  /** The sender's address. */
  readonly from: string
}

const CONNECT_MS = 15_000
const SILENCE_MS = 30_000
/** Of one email from the first byte to the last: shorter than the sender keeps it from others. */
const DELIVERY_MS = 90_000

/** Sends emails through an SMTP server (RFC 5321), with a connection for each. */
export function smtpDelivery({ server, from }: SmtpSettings): Deliver {
  const { host, port, security, login } = server
  const options = {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'off',
    ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // Nothing in an email makes this process read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  return async (mail) => {
    if (!isMailAddress(mail.to)) return fail({ concerns: 'never', reason: 'the recipient’s address is not valid' })
    // Loaded by the first email, because a start doesn't need it.
    const { createTransport } = await import('nodemailer')
    // One each, because a closed transport cancels its work.
    const transport = createTransport(options)
    const patience = setTimeout(() => transport.close(), DELIVERY_MS)
    try {
      await transport.sendMail(messageOf(mail, from))
      return ok(undefined)
    } catch (error) {
      return fail(failureOf(error))
    } finally {
      clearTimeout(patience)
      transport.close()
    }
  }
}

function messageOf(mail: Mail, from: string) {
  return {
    // Objects, not text: nothing in a name becomes another address.
    from: { name: headerText(mail.senderName), address: from },
    to: { name: '', address: mail.to },
    subject: headerText(mail.subject),
    text: mail.text,
    html: mail.html,
    date: new Date(mail.date),
    messageId: `<${mail.id}@${from.split('@').at(-1)}>`,
    headers: {
      'Content-Language': mail.language,
      // RFC 3834: no out-of-office replies, please.
      'Auto-Submitted': 'auto-generated',
    },
    attachments: mail.pictures.map(({ name, type, base64 }) => ({
      filename: name,
      cid: name,
      contentType: type,
      content: base64,
      encoding: 'base64' as const,
      contentDisposition: 'inline' as const,
    })),
  }
}

/** A failure reported by the transport. */
interface Told {
  readonly code?: unknown
  readonly command?: unknown
  readonly responseCode?: unknown
  readonly response?: unknown
}

/** Replies to the email's content may quote it, so only their number is reported. */
const QUOTES_NOTHING = new Set(['CONN', 'EHLO', 'HELO', 'STARTTLS', 'MAIL FROM', 'RCPT TO'])
const ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA'])

const MEANINGS: Readonly<Record<string, string>> = {
  ECONNECTION: 'the connection was closed',
  ESOCKET: 'no connection',
  ETIMEDOUT: 'no response in time',
  EDNS: 'unknown host name',
  ETLS: 'could not encrypt the connection',
  EAUTH: 'user or password rejected',
  EENVELOPE: 'sender or recipient rejected',
  EMESSAGE: 'email rejected',
}

function failureOf(error: unknown): DeliveryFailure {
  const { code, command, responseCode, response } = (error instanceof Error ? error : {}) as Told
  const said = String(command ?? '').toUpperCase()
  const number = typeof responseCode === 'number' ? responseCode : undefined
  const words = QUOTES_NOTHING.has(said) && typeof response === 'string' ? headerText(response) : (number ?? '')
  const meaning = MEANINGS[String(code)] ?? (error instanceof Error && code === undefined ? error.name : String(code))
  const cause = number === undefined && said === 'CONN' && error instanceof Error ? headerText(error.message) : ''
  const reason = [meaning, words, cause].filter((part) => part !== '').join(': ')
  if (!ABOUT_THE_MAIL.has(said)) return { concerns: 'server', reason }
  return { concerns: number !== undefined && number >= 500 ? 'never' : 'mail', reason }
}
