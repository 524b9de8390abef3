import { isIP } from 'node:net'
import { join } from 'node:path'
import { isMailAddress, parseSmtpServer, type SmtpServer } from '@sightline/platform/mail'
import { z } from 'zod'
import { FOOTAGE_COPY_SETTINGS } from './footage-copy-settings.ts'
import { MACHINE_SETTINGS } from './machines/machine-settings.ts'
import { port, type Setting, setting } from './setting.ts'
import { WEBRTC_SETTINGS } from './webrtc-settings.ts'

const network = z.string().refine((text) => {
  const [address = '', bits = '', ...rest] = text.split('/')
  const most = isIP(address) === 4 ? 32 : 128
  return rest.length === 0 && isIP(address) > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most
})

const networks = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(network))

/** A range of all addresses would let anyone forge their address. */
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

/** The id of a tag manager account; it has no characters with a meaning in an address or a policy. */
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
    summary: 'Folder for all data that must be backed up: database, footage and secrets.',
    values: 'a path',
    unset: '`data` in the checkout',
    schema: z.string().default(join(import.meta.dirname, '../../../data')),
  }),
  SIGHTLINE_HOST: setting({
    summary: 'Address to listen on. Any address other than loopback requires SIGHTLINE_TLS.',
    values: 'an IP address or host name; `0.0.0.0` or `::` for all',
    unset: '`127.0.0.1`',
    schema: z.string().min(1).default('127.0.0.1'),
  }),
  SIGHTLINE_PORT: setting({
    summary: 'Port for HTTP and WebSocket.',
    values: '0 to 65535; 0 picks a free port',
    unset: '`8080`',
    schema: port.default(8080),
  }),
  SIGHTLINE_TLS: setting({
    summary:
      'How connections are encrypted. Browsers allow sign-in, push notifications and secure cookies only over HTTPS or on localhost.',
    values:
      '`off`, `self-signed`, `behind-proxy` (a reverse proxy terminates TLS, see SIGHTLINE_TRUSTED_PROXIES), or `<certificate.pem>,<key.pem>`',
    unset: '`off`',
    schema: tls.default({ kind: 'off' }),
  }),
  SIGHTLINE_PUBLIC_URL: setting({
    summary: 'Address that people use, if it differs from the one Sightline listens on.',
    values: 'an http or https URL without a path',
    unset: 'built from host, port and TLS',
    schema: origin.optional(),
  }),
  SIGHTLINE_TRUSTED_PROXIES: setting({
    summary:
      'Networks of your reverse proxies. Only their headers determine the client address and host of a request. The client is the rightmost address in the header that is outside these networks.',
    values:
      'networks in CIDR notation, separated by commas, such as `10.0.0.5/32,172.18.0.0/16`; not `0.0.0.0/0` or `::/0`',
    unset: '`127.0.0.0/8,::1/128` with SIGHTLINE_TLS=behind-proxy, otherwise none',
    schema: proxyNetworks.optional(),
  }),
  SIGHTLINE_PROXY_HEADERS: setting({
    summary:
      'Headers that your trusted proxies set for the client address and host. Others are ignored, because a proxy passes them on as the client sent them.',
    values: '`x-forwarded` (`X-Forwarded-For`, `X-Forwarded-Host`) or `forwarded` (RFC 7239)',
    unset: '`x-forwarded`',
    schema: z.enum(['x-forwarded', 'forwarded']).default('x-forwarded'),
  }),
  SIGHTLINE_SECURITY_CONTACT: setting({
    summary:
      'Where to report vulnerabilities of this installation; published in `/.well-known/security.txt` (RFC 9116).',
    values: 'a `mailto:` or `https:` address, such as `mailto:security@video.example`',
    unset: 'no security.txt',
    schema: z
      .string()
      .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/)
      .optional(),
  }),
  SIGHTLINE_CAMERA_NETWORKS: setting({
    summary: 'Private networks that cameras can be in. Addresses in other private networks are rejected.',
    values: 'networks in CIDR notation, separated by commas, such as `192.168.1.0/24,fd00::/8`',
    unset: 'only the demo’s camera simulator',
    schema: networks.default([]),
  }),
  SIGHTLINE_PUSH_NETWORKS: setting({
    summary:
      'Private networks that push services for browser notifications can be in, besides the public internet. Only there can they use plain HTTP.',
    values: 'networks in CIDR notation, separated by commas, such as `10.1.2.3/32`',
    unset: 'none',
    schema: networks.default([]),
  }),
  SIGHTLINE_DEMO: setting({
    summary: 'Whether to set up the demo with simulated cameras in an empty data folder.',
    values: '`on` or `off`; with `off`, a one-time link for the first administrator is printed',
    unset: '`on`',
    schema: z.enum(['on', 'off']).default('on'),
  }),
  SIGHTLINE_DEMO_CAMERAS: setting({
    summary: 'Whether the demo’s simulated cameras run. With `off`, they are offline and nothing is recorded.',
    values: '`on` or `off`',
    unset: '`on`',
    schema: z.enum(['on', 'off']).default('on'),
  }),
  SIGHTLINE_DEMO_PASSWORD: setting({
    summary: 'Password of all demo users, for automated tests.',
    values: '8 to 32 characters',
    unset: 'generated and printed at the first start',
    isSecret: true,
    schema: z.string().min(8).max(32).optional(),
  }),
  SIGHTLINE_RTSP_PORT: setting({
    summary:
      'Port where players and recorders get live and recorded video over RTSP, on the address of `SIGHTLINE_HOST`. With a certificate in `SIGHTLINE_TLS` it is `rtsps`.',
    values: '0 to 65535; 0 turns RTSP off',
    unset: '`0`',
    schema: port.default(0),
  }),
  ...WEBRTC_SETTINGS,
  SIGHTLINE_METRICS_PORT: setting({
    summary: 'Port for metrics, on loopback.',
    values: '0 to 65535; 0 turns metrics off',
    unset: '`9090`',
    schema: port.default(9090),
  }),
  SIGHTLINE_CALLS_PER_SECOND: setting({
    summary: 'Maximum average number of REST API calls per second by one user; bursts can be ten times as large.',
    values: '0 to 100000; 0 means no limit',
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
      'Maximum average number of sign-ins per second from one address (or one IPv6 /64), and five times as many other requests to `/oauth/` and `/sign-in/`; bursts can be a hundred times as large. Raise it if more than a thousand people share one address.',
    values: '0 to 10000; 0 means no limit',
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
      'Maximum number of camera streams, live and recorded, that one user can have open. Beyond it, a new stream ends with code 16.',
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
    summary: 'Maximum average number of stream tickets per second for one user; bursts can be four times as large.',
    values: '0 to 10000; 0 means no limit',
    unset: '`10`',
    schema: countUpTo(10_000).default(10),
  }),
  SIGHTLINE_MEDIA_WORKERS: setting({
    summary:
      'Number of processes that record and show cameras. Each camera belongs to one of them. One is enough for about 200 cameras; more than one per processor core are of no use.',
    values: '1 to 32',
    unset: '`1`',
    schema: countUpTo(32)
      .refine((workers) => workers >= 1)
      .default(1),
  }),
  SIGHTLINE_FOOTAGE_ENCRYPTION: setting({
    summary:
      'Whether new footage is encrypted on the disk. Back up `secrets.json` of the data folder: without it, encrypted footage is lost. See docs/guide/footage.md.',
    values: '`on` or `off`; footage that was recorded before stays as it is and readable',
    unset: '`on`',
    schema: z.enum(['on', 'off']).default('on'),
  }),
  ...MACHINE_SETTINGS,
  ...FOOTAGE_COPY_SETTINGS,
  SIGHTLINE_MEDIA_MEMORY: setting({
    summary:
      'Memory of each media worker for video that waits for a slow disk or slow viewers. If it is used up, viewers skip pictures first; if that is not enough, recordings get a gap with the cause `disk`.',
    values: '64 to 65536 MiB',
    unset: '`512`, enough for 100 cameras with 2 Mbit/s and a disk that hangs for 20 seconds',
    schema: countUpTo(65_536)
      .refine((mebibytes) => mebibytes >= 64)
      .default(512),
  }),
  SIGHTLINE_MOTION_CAMERAS: setting({
    summary:
      'How many cameras each media worker watches for motion itself, with the ffmpeg of this machine. Cameras that report motion themselves are not counted. See docs/guide/motion.md for what it costs.',
    values: '0 to 1000; 0 means none',
    unset: '`0`',
    schema: countUpTo(1000).default(0),
  }),
  SIGHTLINE_PICTURE_STREAMS: setting({
    summary:
      'Of how many camera streams each media worker makes JPEGs at a time (MJPEG and multipart), with the ffmpeg of this machine. All viewers of a stream share one. Beyond it, and with 0, cameras show the pictures that they make themselves; a stream of one that makes none is refused. See docs/guide/video.md.',
    values: '0 to 1000',
    unset: '`8`',
    schema: countUpTo(1000).default(8),
  }),
  SIGHTLINE_AUTH_FLOW: setting({
    summary:
      'How the built-in apps get their token: with an authorization code, or in the redirect address as in the specification.',
    values: '`code` or `token`; with `token`, both work',
    unset: '`code`',
    schema: z.enum(['code', 'token']).default('code'),
  }),
  SIGHTLINE_TOKEN_PARAMETERS: setting({
    summary: 'Where `/oauth/token` accepts its parameters. Proxies log addresses, including any secrets in the query.',
    values: '`body`, or `query` for existing clients that require it; with `query`, both work',
    unset: '`body`',
    schema: z.enum(['body', 'query']).default('body'),
  }),
  SIGHTLINE_SMTP_URL: setting({
    summary: 'Mail server for outgoing email. Without one, no email is sent; see docs/guide/email.md.',
    values:
      '`smtps://user:password@host` (TLS, port 465) or `smtp://user:password@host` (STARTTLS, port 587; unencrypted on loopback or with `?tls=off`); user and password are optional and can be percent-encoded',
    unset: 'emails are kept in the data folder',
    isSecret: true,
    schema: smtpServer.optional(),
  }),
  SIGHTLINE_MAIL_FROM: setting({
    summary:
      'Sender address of emails; the sender name is the brand’s. SIGHTLINE_SMTP_URL must be allowed to send from it.',
    values: 'an email address, such as `no-reply@video.example`',
    unset: 'required with SIGHTLINE_SMTP_URL',
    schema: z.string().refine(isMailAddress).optional(),
  }),
  SIGHTLINE_TAG_MANAGER: setting({
    summary:
      'Tag manager for statistics in the account portal, only for people who consented. It runs third-party scripts on pages where people are signed in; see docs/guide/third-party-scripts.md.',
    values:
      '`<container>`, such as `GTM-ABC123`, or `<container>,<gtm_auth>,<gtm_preview>` for one of its environments',
    unset: 'none',
    schema: tagManager.optional(),
  }),
  SIGHTLINE_TAG_MANAGER_SCRIPT: setting({
    summary: 'URL of the tag manager script.',
    values: 'an http or https URL without a query',
    unset: '`https://www.googletagmanager.com/gtm.js`',
    schema: script.optional(),
  }),
  SIGHTLINE_TAG_ORIGINS: setting({
    summary: 'Origins that tags can send data to and load images from, besides the origin of the script.',
    values: 'origins, separated by commas, such as `https://*.google-analytics.com`',
    unset: 'none',
    schema: sources.optional(),
  }),
  SIGHTLINE_TRANSLATION: setting({
    summary:
      'Host reserved for in-context translation with Crowdin; must be a host of a brand or of the provider. Only on this host, the account portal offers the language `aa` and runs the tool’s script; see docs/guide/third-party-scripts.md.',
    values: '`<host>,<project>`, such as `translate.video.example,sightline`; include the port if it isn’t 443',
    unset: 'none',
    schema: translation.optional(),
  }),
  SIGHTLINE_TRANSLATION_SCRIPT: setting({
    summary: 'URL of the translation tool’s script.',
    values: 'an http or https URL without a query',
    unset: '`https://cdn.crowdin.com/jipt/jipt.js`',
    schema: script.optional(),
  }),
  SIGHTLINE_TRANSLATION_ORIGINS: setting({
    summary: 'Origins that the translation tool can load from and send data to, besides the origin of its script.',
    values: 'origins, separated by commas',
    unset: '`https://crowdin.com,https://*.crowdin.com`',
    schema: sources.optional(),
  }),
  SIGHTLINE_EMBEDDED_BY: setting({
    summary:
      'Origins that can embed the account portal’s pages under `/settings/`. The embedding page is notified if no user is signed in.',
    values: 'origins, separated by commas, such as `https://desktop.video.example`',
    unset: 'none',
    schema: sources.optional(),
  }),
  SIGHTLINE_PLACE_DATABASE: setting({
    summary:
      'Database in the MaxMind DB format that maps IP addresses to countries or cities, shown in the list of sign-ins. It is loaded into memory at startup; no external service is used. Local networks are recognized without it. See docs/guide/sign-in-locations.md.',
    values: 'path of an `.mmdb` file',
    unset: 'IP addresses are shown without locations',
    schema: z.string().optional(),
  }),
  SIGHTLINE_AUDIT_CHECKPOINTS: setting({
    summary:
      'Folder for signed checkpoints of the audit log, best on another disk or machine: with them, `npm run audit:verify` detects removed entries. See docs/guide/audit-log.md.',
    values: 'a path; created if missing',
    unset: '`audit` in the data folder',
    schema: z.string().optional(),
  }),
  SIGHTLINE_LOG: setting({
    summary: 'Log level and format.',
    values: '`debug`, `info`, `warn` or `error`, optionally followed by `,json` or `,text`',
    unset: '`info`; `text` on a terminal and in the demo, otherwise `json`',
    schema: logging.default({ level: 'info', format: undefined }),
  }),
  SIGHTLINE_ACCESS_LOG: setting({
    summary:
      'Which requests are logged, at level `info`. `notable`: only server errors (5xx) and requests that take two seconds or longer.',
    values: '`notable` or `all`',
    unset: '`notable`; `all` if `SIGHTLINE_LOG` is `debug`',
    schema: z.enum(['notable', 'all']).optional(),
  }),
  DATABASE_URL: setting({
    summary: 'Your own PostgreSQL, version 15 or newer. The user must own the database and be allowed to create roles.',
    values: '`postgres://user:password@host:port/database`',
    unset: 'the built-in PostgreSQL in the data folder',
    isSecret: true,
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  }),
} as const satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof SETTINGS
export type SettingValues = { readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']> }
