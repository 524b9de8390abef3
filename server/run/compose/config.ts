import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { TokenSettings } from '@sightline/auth'
import type { ProxySettings, SiteSettings } from '@sightline/edge'
import type { FootageBucket } from '@sightline/media/control'
import type { LogLevel } from '@sightline/platform/log'
import type { SmtpServer } from '@sightline/platform/mail'
import { StartError } from '@sightline/platform/startup'
import type { HostAndPort } from './machines/machine-settings.ts'
import { SETTINGS, type SettingName, type SettingValues, type TlsMode } from './settings.ts'
import { findWebRtcContradiction } from './webrtc-settings.ts'

/** The operator's settings. Contains no secret, so it may be printed. */
export interface Config {
  /** Absolute. */
  readonly dataFolder: string
  readonly listen: { readonly host: string; readonly port: number }
  readonly tls: TlsMode
  /** Proxies in front that are believed. */
  readonly proxies: ProxySettings
  /** Address for reports of vulnerabilities. */
  readonly securityContact: string | undefined
  /** Undefined if users connect to the address that the server listens on. */
  readonly publicUrl: URL | undefined
  readonly cameraNetworks: readonly string[]
  /** Networks with push services other than the public internet. */
  readonly pushNetworks: readonly string[]
  readonly isDemo: boolean
  /** Whether the demonstration's cameras run. */
  readonly simulatesCameras: boolean
  /** Undefined is off. */
  readonly metricsPort: number | undefined
  /** Undefined: RTSP is off. */
  readonly rtspPort: number | undefined
  /** Undefined: WebRTC is off. */
  readonly webRtc: { readonly port: number; readonly addresses: readonly string[] | undefined } | undefined
  /** Calls of one user; undefined is without end. */
  readonly callLimit: { readonly perSecond: number; readonly burst: number } | undefined
  /** Camera streams; undefined is without end. */
  readonly streams: {
    readonly perPerson: number | undefined
    readonly perAccount: number | undefined
    /** Stream tickets for each user. */
    readonly tickets: { readonly perSecond: number; readonly burst: number } | undefined
  }
  readonly encryptsFootage: boolean
  /** Where footage is copied to; its secret is in {@link EnvironmentSecrets}. */
  readonly footageBucket: Omit<FootageBucket, 'secretKey'> | undefined
  /** For media that waits for a slow disk or slow viewers. */
  readonly mediaMemoryBytes: number
  /** How many cameras each worker watches for motion. */
  readonly motionCameras: number
  readonly pictureStreams: number
  /** How many processes record and show cameras. */
  readonly mediaWorkers: number
  /** Where media workers of other machines are expected; undefined: nowhere. */
  readonly workerListen: HostAndPort | undefined
  /** Only for the program of media workers on another machine. */
  readonly machine: {
    readonly front: HostAndPort | undefined
    /** Absolute path, or undefined for the file in the data folder. */
    readonly credentials: string | undefined
  }
  readonly tokens: TokenSettings
  /** What others may do in pages of the account portal. */
  readonly others: Pick<SiteSettings, 'tagManager' | 'translation' | 'embeddedBy'>
  /** Absolute path of a database of locations by address, or undefined. */
  readonly placeDatabase: string | undefined
  readonly log: {
    readonly level: LogLevel
    readonly format: 'json' | 'text'
    readonly requests: 'all' | 'notable'
  }
  readonly database: 'embedded' | 'external'
  /** Absolute folder of the checkpoints of the audit log; undefined for the data folder. */
  readonly auditCheckpoints: string | undefined
  /** Whether emails are sent, or stored in the data folder, where people on this machine may open them if `isShown`. */
  readonly mail: { readonly kind: 'smtp'; readonly from: string } | { readonly kind: 'kept'; readonly isShown: boolean }
}

/** Secrets from the environment. Never printed, and never passed to a process that doesn't need them. */
export interface EnvironmentSecrets {
  readonly databaseUrl: string | undefined
  readonly demoPassword: string | undefined
  /** With its password. */
  readonly smtpServer: SmtpServer | undefined
  readonly s3SecretKey: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The environment as a tree. An empty variable counts as not set.
 *
 * @param isTerminal whether standard output is a terminal.
 *
 * @throws StartError for an unknown SIGHTLINE_ variable, a value that can't be read, or values that contradict each
 * other.
 */
export function readConfig(
  environment: Environment,
  isTerminal: boolean,
): { config: Config; given: EnvironmentSecrets } {
  refuseUnknown(environment)
  const values = readValues(environment)
  const config = toConfig(values, isTerminal)
  const contradiction =
    findContradiction(config, values) ??
    findRtspContradiction(config) ??
    findWebRtcContradiction(config, values.SIGHTLINE_WEBRTC_ADDRESSES !== undefined)
  if (contradiction !== undefined) throw new StartError(contradiction)
  return {
    config,
    given: {
      databaseUrl: values.DATABASE_URL,
      demoPassword: values.SIGHTLINE_DEMO_PASSWORD,
      smtpServer: values.SIGHTLINE_SMTP_URL,
      s3SecretKey: values.SIGHTLINE_S3_SECRET_KEY,
    },
  }
}

/** Settings of the tests themselves begin like this; the server they start may inherit them. */
const TEST_PREFIX = 'SIGHTLINE_TEST_'

function refuseUnknown(environment: Environment): void {
  const unknown = Object.keys(environment).find(
    (name) => name.startsWith('SIGHTLINE_') && !name.startsWith(TEST_PREFIX) && !(name in SETTINGS),
  )
  if (unknown === undefined) return
  const nearest = Object.keys(SETTINGS).toSorted((a, b) => distance(a, unknown) - distance(b, unknown))[0]
  throw new StartError(
    `Unknown setting ${unknown}. Did you mean ${nearest}? See docs/reference/config.md for all settings.`,
  )
}

function readValues(environment: Environment): SettingValues {
  const entries = Object.entries(SETTINGS).map(([name, { schema, values, isSecret }]) => {
    const text = environment[name] || undefined
    const read = schema.safeParse(text)
    if (read.success) return [name, read.data]
    const shown = isSecret === true ? '' : ` "${text}"`
    throw new StartError(`Invalid value${shown} for ${name}. Expected ${values}.`)
  })
  return Object.fromEntries(entries)
}

const offAtZero = (port: number): number | undefined => (port === 0 ? undefined : port)

function toConfig(values: SettingValues, isTerminal: boolean): Config {
  const isDemo = values.SIGHTLINE_DEMO === 'on'
  const { level, format } = values.SIGHTLINE_LOG
  return {
    dataFolder: resolve(values.SIGHTLINE_DATA_DIR),
    listen: { host: values.SIGHTLINE_HOST, port: values.SIGHTLINE_PORT },
    tls: values.SIGHTLINE_TLS,
    proxies: proxiesOf(values),
    securityContact: values.SIGHTLINE_SECURITY_CONTACT,
    publicUrl: values.SIGHTLINE_PUBLIC_URL,
    cameraNetworks: values.SIGHTLINE_CAMERA_NETWORKS,
    pushNetworks: values.SIGHTLINE_PUSH_NETWORKS,
    isDemo,
    simulatesCameras: isDemo && values.SIGHTLINE_DEMO_CAMERAS === 'on',
    metricsPort: offAtZero(values.SIGHTLINE_METRICS_PORT),
    rtspPort: offAtZero(values.SIGHTLINE_RTSP_PORT),
    webRtc:
      values.SIGHTLINE_WEBRTC_PORT === 0
        ? undefined
        : { port: values.SIGHTLINE_WEBRTC_PORT, addresses: values.SIGHTLINE_WEBRTC_ADDRESSES },
    callLimit: limitOf(values.SIGHTLINE_CALLS_PER_SECOND, CALL_BURST_SECONDS),
    streams: {
      perPerson: values.SIGHTLINE_STREAMS_PER_PERSON || undefined,
      perAccount: values.SIGHTLINE_STREAMS_PER_ACCOUNT || undefined,
      tickets: limitOf(values.SIGHTLINE_STREAM_TICKETS_PER_SECOND, TICKET_BURST_SECONDS),
    },
    mediaWorkers: values.SIGHTLINE_MEDIA_WORKERS,
    workerListen: values.SIGHTLINE_WORKER_LISTEN,
    machine: machineOf(values),
    encryptsFootage: values.SIGHTLINE_FOOTAGE_ENCRYPTION === 'on',
    footageBucket: values.SIGHTLINE_S3_BUCKET && {
      endpoint: values.SIGHTLINE_S3_BUCKET.origin,
      bucket: values.SIGHTLINE_S3_BUCKET.pathname.slice(1),
      region: values.SIGHTLINE_S3_REGION,
      accessKey: values.SIGHTLINE_S3_ACCESS_KEY ?? '',
      use: values.SIGHTLINE_S3_USE,
    },
    mediaMemoryBytes: values.SIGHTLINE_MEDIA_MEMORY * MIB,
    motionCameras: values.SIGHTLINE_MOTION_CAMERAS,
    pictureStreams: values.SIGHTLINE_PICTURE_STREAMS,
    tokens: {
      authFlow: values.SIGHTLINE_AUTH_FLOW,
      tokenParametersInQuery: values.SIGHTLINE_TOKEN_PARAMETERS === 'query',
      signInsPerSecond: values.SIGHTLINE_SIGN_INS_PER_SECOND === 0 ? undefined : values.SIGHTLINE_SIGN_INS_PER_SECOND,
    },
    others: othersOf(values),
    placeDatabase: values.SIGHTLINE_PLACE_DATABASE && resolve(values.SIGHTLINE_PLACE_DATABASE),
    log: {
      level,
      format: format ?? (isTerminal || isDemo ? 'text' : 'json'),
      requests: values.SIGHTLINE_ACCESS_LOG ?? (level === 'debug' ? 'all' : 'notable'),
    },
    database: values.DATABASE_URL === undefined ? 'embedded' : 'external',
    auditCheckpoints: values.SIGHTLINE_AUDIT_CHECKPOINTS && resolve(values.SIGHTLINE_AUDIT_CHECKPOINTS),
    mail: mailOf(values),
  }
}

const machineOf = (values: SettingValues): Config['machine'] => ({
  front: values.SIGHTLINE_FRONT,
  credentials: values.SIGHTLINE_WORKER_CREDENTIALS && resolve(values.SIGHTLINE_WORKER_CREDENTIALS),
})

const MIB = 1024 * 1024

const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1/128']

const proxiesOf = (values: SettingValues): ProxySettings => ({
  networks: values.SIGHTLINE_TRUSTED_PROXIES ?? (values.SIGHTLINE_TLS.kind === 'behind-proxy' ? LOOPBACK_NETWORKS : []),
  header: values.SIGHTLINE_PROXY_HEADERS,
})

/**
 * Emails contain links that open accounts, so only this machine can see them: not if the server listens to others, or if
 * a proxy or a public address admits others over loopback.
 */
function mailOf(values: SettingValues): Config['mail'] {
  const { SIGHTLINE_SMTP_URL: server, SIGHTLINE_MAIL_FROM: from, SIGHTLINE_PUBLIC_URL: publicUrl } = values
  if (server !== undefined) return { kind: 'smtp', from: from ?? '' }
  const isReachedHere = isLoopback(values.SIGHTLINE_HOST) && proxiesOf(values).networks.length === 0
  return { kind: 'kept', isShown: isReachedHere && (publicUrl === undefined || isLoopback(publicUrl.hostname)) }
}

const TAG_MANAGER_SCRIPT = 'https://www.googletagmanager.com/gtm.js'
const TRANSLATION_SCRIPT = 'https://cdn.crowdin.com/jipt/jipt.js'
const TRANSLATION_ORIGINS = ['https://crowdin.com', 'https://*.crowdin.com']

function othersOf(values: SettingValues): Config['others'] {
  const { SIGHTLINE_TAG_MANAGER: container, SIGHTLINE_TRANSLATION: translation } = values
  return {
    tagManager: container && {
      ...container,
      script: values.SIGHTLINE_TAG_MANAGER_SCRIPT ?? TAG_MANAGER_SCRIPT,
      origins: values.SIGHTLINE_TAG_ORIGINS ?? [],
    },
    translation: translation && {
      ...translation,
      script: values.SIGHTLINE_TRANSLATION_SCRIPT ?? TRANSLATION_SCRIPT,
      origins: values.SIGHTLINE_TRANSLATION_ORIGINS ?? TRANSLATION_ORIGINS,
    },
    embeddedBy: values.SIGHTLINE_EMBEDDED_BY ?? [],
  }
}

/** Settings that refine what another one switches on. */
const DETAILS = {
  SIGHTLINE_TAG_MANAGER_SCRIPT: 'SIGHTLINE_TAG_MANAGER',
  SIGHTLINE_TAG_ORIGINS: 'SIGHTLINE_TAG_MANAGER',
  SIGHTLINE_TRANSLATION_SCRIPT: 'SIGHTLINE_TRANSLATION',
  SIGHTLINE_TRANSLATION_ORIGINS: 'SIGHTLINE_TRANSLATION',
} as const

function detailOfNothing(values: SettingValues): string | undefined {
  const names = Object.keys(DETAILS) as (keyof typeof DETAILS)[]
  const detail = names.find((name) => values[name] !== undefined && values[DETAILS[name]] === undefined)
  if (values.SIGHTLINE_WORKER_LISTEN !== undefined && values.DATABASE_URL === undefined)
    return 'SIGHTLINE_WORKER_LISTEN is set, but the built-in PostgreSQL can’t be reached from other machines. Set DATABASE_URL to your own PostgreSQL. See docs/guide/several-machines.md.'
  return detail && `${detail} is set, but it requires ${DETAILS[detail]}, which is not set. Set both or neither.`
}

/** A page sends many requests as it opens, so ten seconds' worth may come at once. */
const CALL_BURST_SECONDS = 10
/** A grid of cameras asks for all its tickets at once. */
const TICKET_BURST_SECONDS = 4

const limitOf = (perSecond: number, burstSeconds: number): Config['callLimit'] =>
  perSecond === 0 ? undefined : { perSecond, burst: perSecond * burstSeconds }

function findRtspContradiction({ listen, tls, metricsPort, rtspPort }: Config): string | undefined {
  if (rtspPort === undefined) return undefined
  if (rtspPort === listen.port || rtspPort === metricsPort)
    return `SIGHTLINE_RTSP_PORT is ${rtspPort}, which another setting already uses. Choose different ports.`
  if (tls.kind !== 'behind-proxy') return undefined
  return 'SIGHTLINE_RTSP_PORT needs a certificate of Sightline’s own, because an HTTP proxy doesn’t encrypt RTSP. Set SIGHTLINE_TLS to <certificate.pem>,<key.pem>, or unset SIGHTLINE_RTSP_PORT.'
}

function findContradiction({ listen, tls, publicUrl, metricsPort, isDemo }: Config, values: SettingValues) {
  if (!isLoopback(listen.host) && tls.kind === 'off') {
    return `SIGHTLINE_HOST=${listen.host} is reachable from other machines, where browsers allow sign-in only over TLS. Set SIGHTLINE_TLS to self-signed, to <certificate.pem>,<key.pem>, or to behind-proxy if a reverse proxy terminates TLS.`
  }
  const isEncrypted = tls.kind !== 'off'
  if (publicUrl?.protocol === 'https:' && !isEncrypted) {
    return 'SIGHTLINE_PUBLIC_URL starts with https, but SIGHTLINE_TLS is off. Set SIGHTLINE_TLS to behind-proxy, self-signed or <certificate.pem>,<key.pem>.'
  }
  if (publicUrl?.protocol === 'http:' && isEncrypted) {
    return `SIGHTLINE_PUBLIC_URL starts with http, but SIGHTLINE_TLS is ${values.SIGHTLINE_TLS.kind}. Change SIGHTLINE_PUBLIC_URL to https.`
  }
  if (tls.kind === 'behind-proxy' && publicUrl === undefined) {
    return 'SIGHTLINE_TLS=behind-proxy requires SIGHTLINE_PUBLIC_URL. Set it to the https URL of the proxy.'
  }
  if (metricsPort !== undefined && metricsPort === listen.port) {
    return `SIGHTLINE_PORT and SIGHTLINE_METRICS_PORT are both ${metricsPort}. Choose different ports.`
  }
  if ((values.SIGHTLINE_SMTP_URL === undefined) !== (values.SIGHTLINE_MAIL_FROM === undefined)) {
    return 'Only one of SIGHTLINE_SMTP_URL and SIGHTLINE_MAIL_FROM is set. Set both, or neither to keep emails in the data folder.'
  }
  const s3 = ['SIGHTLINE_S3_BUCKET', 'SIGHTLINE_S3_ACCESS_KEY', 'SIGHTLINE_S3_SECRET_KEY'] as const
  const missing = s3.filter((name) => values[name] === undefined)
  if (missing.length > 0 && missing.length < s3.length)
    return `${missing.join(' and ')} must be set too. Set all of ${s3.join(', ')}, or none.`
  if (!isDemo && values.SIGHTLINE_DEMO_PASSWORD !== undefined) {
    return 'SIGHTLINE_DEMO_PASSWORD is set, but SIGHTLINE_DEMO is off. Unset one of them.'
  }
  return detailOfNothing(values)
}

/** Whether only this machine can reach that address. */
function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  return isIP(host) === 4 ? host.startsWith('127.') : host === '::1'
}

/** The output of `--print-config`: every setting in effect, secrets hidden. */
export function printableConfig(environment: Environment): string {
  const rows = (Object.keys(SETTINGS) as SettingName[]).map((name) => {
    const { unset, isSecret } = SETTINGS[name] as (typeof SETTINGS)[SettingName] & { isSecret?: boolean }
    const text = environment[name] || undefined
    if (text === undefined) return `${name}: not set (${unset.replaceAll('`', '')})`
    return `${name}: ${isSecret === true ? '[hidden]' : text}`
  })
  return `${rows.join('\n')}\n`
}

/** Levenshtein's: the fewest letters to add, drop or change. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
