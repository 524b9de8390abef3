import { isIP } from 'node:net'
import { join } from 'node:path'
import { isMailAddress, parseSmtpServer, type SmtpServer } from '@sightline/platform/mail'
import { z } from 'zod'

/** One environment variable: what it means to an operator, and how its text is read. */
export interface Setting<Value> {
  readonly summary: string
  /** What may be written, for a person. */
  readonly values: string
  /** What holds when it is not set, for a person. */
  readonly unset: string
  /** Shown as `[hidden]` wherever settings are printed. */
  readonly isSecret?: boolean
  readonly schema: z.ZodType<Value, string | undefined>
}

const setting = <Value>(description: Setting<Value>): Setting<Value> => description

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((number) => number <= 65_535)

const network = z.string().refine((text) => {
  const [address = '', bits = '', ...rest] = text.split('/')
  const most = isIP(address) === 4 ? 32 : 128
  return rest.length === 0 && isIP(address) > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most
})

const networks = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(network))

/** All addresses would be everybody's word for where they are. */
const proxyNetworks = networks.refine((all) => all.every((text) => !text.endsWith('/0')))

export type TlsMode =
  | { readonly kind: 'off' }
  | { readonly kind: 'self-signed' }
  | { readonly kind: 'behind-proxy' }
  | { readonly kind: 'files'; readonly certificate: string; readonly key: string }

const tls = z.string().transform((text, context): TlsMode => {
  if (text === 'off' || text === 'self-signed' || text === 'behind-proxy') return { kind: text }
  const [certificate = '', key = '', ...rest] = text.split(',')
  if (certificate !== '' && key !== '' && rest.length === 0) return { kind: 'files', certificate, key }
  context.addIssue({ code: 'custom', message: 'not a TLS mode' })
  return z.NEVER
})

const logging = z
  .string()
  .regex(/^(debug|info|warn|error)(,(json|text))?$/)
  .transform((text) => {
    const [level, format] = text.split(',') as ['debug' | 'info' | 'warn' | 'error', ('json' | 'text')?]
    return { level, format }
  })

const smtpServer = z.string().transform((text, context): SmtpServer => {
  const server = parseSmtpServer(text)
  if (server !== undefined) return server
  context.addIssue({ code: 'custom', message: 'not the address of a mail server' })
  return z.NEVER
})

const origin = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine((url) => url.pathname === '/' && url.search === '' && url.username === '')

/** A source as a content security policy names it: an origin, or all hosts below a name. */
const source = z.string().regex(/^https?:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/)

const sources = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(source))

/** What an account at a tag manager is known by; nothing in it has a meaning in an address or a policy. */
const tagManager = z
  .string()
  .regex(/^[\w-]+(,[\w-]+,[\w-]+)?$/)
  .transform((text) => {
    const [trackingId = '', auth = '', preview = ''] = text.split(',')
    return { trackingId, auth, preview }
  })

const translation = z
  .string()
  .regex(/^[a-z0-9.-]+(:\d{1,5})?,[\w-]+$/)
  .transform((text) => {
    const [host = '', project = ''] = text.split(',')
    return { host, project }
  })

const script = z
  .url({ protocol: /^https?$/ })
  .refine((text) => new URL(text).search === '' && /^[\w:/.*~-]+$/.test(text))

/** A number up to `most`; 0 is without end. */
const countUpTo = (most: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .refine((number) => number <= most)

/** Every environment variable the server reads. `docs/reference/config.md` is generated from this table. */
export const SETTINGS = {
  SIGHTLINE_DATA_DIR: setting({
    summary: 'Folder of everything that must survive: database, footage, secrets.',
    values: 'a path',
    unset: '`data` in the folder of the checkout',
    schema: z.string().default(join(import.meta.dirname, '../../../data')),
  }),
  SIGHTLINE_HOST: setting({
    summary: 'Address to listen on. Beyond loopback it needs SIGHTLINE_TLS.',
    values: 'an IP address or host name; `0.0.0.0` or `::` for all',
    unset: '`127.0.0.1`',
    schema: z.string().min(1).default('127.0.0.1'),
  }),
  SIGHTLINE_PORT: setting({
    summary: 'Port of everything over HTTP and WebSocket.',
    values: '0 to 65535; 0 takes any free one',
    unset: '`8080`',
    schema: port.default(8080),
  }),
  SIGHTLINE_TLS: setting({
    summary: 'Who encrypts. Browsers give sign-in, push and secure cookies to secure origins only.',
    values:
      '`off`, `self-signed`, `behind-proxy` (a proxy in front does it, see SIGHTLINE_TRUSTED_PROXIES), or `<certificate.pem>,<key.pem>`',
    unset: '`off`',
    schema: tls.default({ kind: 'off' }),
  }),
  SIGHTLINE_PUBLIC_URL: setting({
    summary: 'Address people use, where it differs from the one listened on.',
    values: 'an http or https address without a path',
    unset: 'made from host, port and TLS',
    schema: origin.optional(),
  }),
  SIGHTLINE_TRUSTED_PROXIES: setting({
    summary:
      'Networks of your reverse proxies. Only their headers decide the client address and host of a request. The client is the rightmost address in the header that is outside these networks.',
    values: 'networks in CIDR form, separated by commas, as in `10.0.0.5/32,172.18.0.0/16`; not all addresses',
    unset: '`127.0.0.0/8,::1/128` with SIGHTLINE_TLS=behind-proxy, otherwise none',
    schema: proxyNetworks.optional(),
  }),
  SIGHTLINE_PROXY_HEADERS: setting({
    summary:
      'Headers that your trusted proxies set for the client address and host. Only these are read, because a proxy passes on whatever a client wrote into the others.',
    values: '`x-forwarded` (`X-Forwarded-For`, `X-Forwarded-Host`) or `forwarded` (RFC 7239)',
    unset: '`x-forwarded`',
    schema: z.enum(['x-forwarded', 'forwarded']).default('x-forwarded'),
  }),
  SIGHTLINE_SECURITY_CONTACT: setting({
    summary:
      'Where to report vulnerabilities of this installation; published in `/.well-known/security.txt` (RFC 9116).',
    values: 'a `mailto:` or `https:` address, as in `mailto:security@video.example`',
    unset: 'no security.txt',
    schema: z
      .string()
      .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/)
      .optional(),
  }),
  SIGHTLINE_CAMERA_NETWORKS: setting({
    summary: 'Private networks in which cameras may be. Addresses in other private networks are refused.',
    values: 'networks in CIDR form, separated by commas, as in `192.168.1.0/24,fd00::/8`',
    unset: 'none but the demonstration’s own simulator',
    schema: networks.default([]),
  }),
  SIGHTLINE_PUSH_NETWORKS: setting({
    summary:
      'Networks of your own in which push services may be, which bring messages to browsers, besides the public internet. Only there they may be without TLS.',
    values: 'networks in CIDR form, separated by commas, as in `10.1.2.3/32`',
    unset: 'none',
    schema: networks.default([]),
  }),
  SIGHTLINE_DEMO: setting({
    summary: 'Whether an empty data folder gets the demonstration brand with its simulated cameras.',
    values: '`on` or `off`; with `off` a one-time link for the first administrator is printed',
    unset: '`on`',
    schema: z.enum(['on', 'off']).default('on'),
  }),
  SIGHTLINE_DEMO_CAMERAS: setting({
    summary:
      'Whether the simulated cameras of the demonstration run. With `off` they are offline, and nothing is recorded.',
    values: '`on` or `off`',
    unset: '`on`',
    schema: z.enum(['on', 'off']).default('on'),
  }),
  SIGHTLINE_DEMO_PASSWORD: setting({
    summary: 'Password of all demonstration users, for automatic tests.',
    values: '8 to 32 characters',
    unset: 'generated and printed at the first start',
    isSecret: true,
    schema: z.string().min(8).max(32).optional(),
  }),
  SIGHTLINE_METRICS_PORT: setting({
    summary: 'Port of the metrics, on loopback.',
    values: '0 to 65535; 0 is off',
    unset: '`9090`',
    schema: port.default(9090),
  }),
  SIGHTLINE_CALLS_PER_SECOND: setting({
    summary: 'Most calls of the REST API by one user in the long run; ten times as many may come at once.',
    values: '0 to 100000; 0 is without end',
    unset: '`500`',
    schema: z
      .string()
      .regex(/^\d{1,6}$/)
      .transform(Number)
      .refine((number) => number <= 100_000)
      .default(500),
  }),
  SIGHTLINE_SIGN_INS_PER_SECOND: setting({
    summary:
      'Most sign-ins that one address (a /64 of IPv6) begins in the long run, and five times as many other requests to `/oauth/` and `/sign-in/`; a hundred times as many may come at once. Raise it where more than a thousand people share one address.',
    values: '0 to 10000; 0 is without end',
    unset: '`10`',
    schema: z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .refine((number) => number <= 10_000)
      .default(10),
  }),
  SIGHTLINE_STREAMS_PER_PERSON: setting({
    summary:
      'Maximum number of camera streams, live and recorded, that one person can have open. Beyond it, a new stream ends with code 16.',
    values: '0 to 100000; 0 means no limit',
    unset: '`40`',
    schema: countUpTo(100_000).default(40),
  }),
  SIGHTLINE_STREAMS_PER_ACCOUNT: setting({
    summary:
      'Maximum number of camera streams that all users of one account can have open together. Beyond it, a new stream ends with code 16.',
    values: '0 to 100000; 0 means no limit',
    unset: '`200`',
    schema: countUpTo(100_000).default(200),
  }),
  SIGHTLINE_STREAM_TICKETS_PER_SECOND: setting({
    summary:
      'Maximum number of stream tickets per second that one person gets on average; bursts may be four times as large.',
    values: '0 to 10000; 0 means no limit',
    unset: '`10`',
    schema: countUpTo(10_000).default(10),
  }),
  SIGHTLINE_AUTH_FLOW: setting({
    summary: 'How our own apps get their token: by a code, or in the address as the specification has it.',
    values: '`code` or `token`; with `token` both work',
    unset: '`code`',
    schema: z.enum(['code', 'token']).default('code'),
  }),
  SIGHTLINE_TOKEN_PARAMETERS: setting({
    summary: 'Where `/oauth/token` takes its parameters. Addresses, and secrets in them, are written down by proxies.',
    values: '`body`, or `query` for existing clients that know no better; with `query` both work',
    unset: '`body`',
    schema: z.enum(['body', 'query']).default('body'),
  }),
  SIGHTLINE_SMTP_URL: setting({
    summary: 'Server that mails are handed to. Without one no mail leaves; see docs/guide/email.md.',
    values:
      '`smtps://user:password@host` (TLS, port 465) or `smtp://user:password@host` (STARTTLS, port 587; without encryption on loopback or with `?tls=off`); user and password may be left out, and both may hold %-encoded signs',
    unset: 'mails are kept in the data folder',
    isSecret: true,
    schema: smtpServer.optional(),
  }),
  SIGHTLINE_MAIL_FROM: setting({
    summary:
      'Address that mails are from; the name beside it is the brand’s. It has to be one that SIGHTLINE_SMTP_URL may send for.',
    values: 'an e-mail address, as in `no-reply@video.example`',
    unset: 'needed with SIGHTLINE_SMTP_URL',
    schema: z.string().refine(isMailAddress).optional(),
  }),
  SIGHTLINE_TAG_MANAGER: setting({
    summary:
      'A tag manager for statistics on the pages of the account portal, for people who allowed it and on no other page. It runs script of others beside the sign-in of people; see docs/guide/third-party-scripts.md.',
    values: '`<container>` as in `GTM-ABC123`, or `<container>,<gtm_auth>,<gtm_preview>` for an environment of it',
    unset: 'none',
    schema: tagManager.optional(),
  }),
  SIGHTLINE_TAG_MANAGER_SCRIPT: setting({
    summary: 'Script of the tag manager.',
    values: 'an http or https address without query',
    unset: '`https://www.googletagmanager.com/gtm.js`',
    schema: script.optional(),
  }),
  SIGHTLINE_TAG_ORIGINS: setting({
    summary: 'Where tags may send to and load pictures from, besides the origin of the script.',
    values: 'origins separated by commas, as in `https://*.google-analytics.com`',
    unset: 'nowhere else',
    schema: sources.optional(),
  }),
  SIGHTLINE_TRANSLATION: setting({
    summary:
      'Host set aside for translating in the page (Crowdin in-context), one of the hosts of a brand or of the provider. There, and only there, the account portal offers language `aa` and runs script of the tool; see docs/guide/third-party-scripts.md.',
    values:
      '`<host>,<project>`, as in `translate.video.example,sightline`; the host with its port where that is not 443',
    unset: 'none',
    schema: translation.optional(),
  }),
  SIGHTLINE_TRANSLATION_SCRIPT: setting({
    summary: 'Script of the translation tool.',
    values: 'an http or https address without query',
    unset: '`https://cdn.crowdin.com/jipt/jipt.js`',
    schema: script.optional(),
  }),
  SIGHTLINE_TRANSLATION_ORIGINS: setting({
    summary: 'Where the translation tool may come from and send to, besides the origin of its script.',
    values: 'origins separated by commas',
    unset: '`https://crowdin.com,https://*.crowdin.com`',
    schema: sources.optional(),
  }),
  SIGHTLINE_EMBEDDED_BY: setting({
    summary:
      'Whose pages may show the pages below `/settings/` of the account portal inside themselves, and are told there when nobody is signed in.',
    values: 'origins separated by commas, as in `https://desktop.video.example`',
    unset: 'nobody’s',
    schema: sources.optional(),
  }),
  SIGHTLINE_PLACE_DATABASE: setting({
    summary:
      'Database that tells the country, or the city, of an address, in the MaxMind DB format: what people see of where they are signed in. It is read into memory at the start and asks nobody else; local networks are told without it. See docs/guide/sign-in-locations.md.',
    values: 'a path of an `.mmdb` file',
    unset: 'no places, addresses alone',
    schema: z.string().optional(),
  }),
  SIGHTLINE_AUDIT_CHECKPOINTS: setting({
    summary:
      'Folder of the signed checkpoints of the audit log, best on another disk or machine: with them `npm run audit:verify` finds what was cut off. See docs/guide/audit-log.md.',
    values: 'a path; made where it is missing',
    unset: '`audit` in the data folder',
    schema: z.string().optional(),
  }),
  SIGHTLINE_LOG: setting({
    summary: 'How much is logged, and for whom.',
    values: '`debug`, `info`, `warn` or `error`, then optionally `,json` or `,text`',
    unset: '`info`; `text` on a terminal and in the demonstration, otherwise `json`',
    schema: logging.default({ level: 'info', format: undefined }),
  }),
  SIGHTLINE_ACCESS_LOG: setting({
    summary:
      'Which requests get a line in the log, at level `info`. `notable` are those that failed by the server’s fault (5xx) or took two seconds and longer.',
    values: '`notable` or `all`',
    unset: '`notable`; `all` where `SIGHTLINE_LOG` is `debug`',
    schema: z.enum(['notable', 'all']).optional(),
  }),
  DATABASE_URL: setting({
    summary: 'A PostgreSQL of your own, version 15 or newer. Its user must own the database and may create roles.',
    values: '`postgres://user:password@host:port/database`',
    unset: 'the built-in PostgreSQL in the data folder',
    isSecret: true,
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  }),
} as const satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof SETTINGS
export type SettingValues = { readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']> }
