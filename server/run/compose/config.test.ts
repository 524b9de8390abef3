import { StartError } from '@sightline/platform/startup'
import { expect, test } from 'vitest'
import { printableConfig, readConfig } from './config.ts'
import { webRtcPorts } from './webrtc-settings.ts'

const read = (environment: Record<string, string>) => readConfig(environment, false)

test('without settings it is a demonstration on loopback with the built-in database', () => {
  expect(read({}).config).toMatchObject({
    listen: { host: '127.0.0.1', port: 8080 },
    tls: { kind: 'off' },
    cameraNetworks: [],
    isDemo: true,
    simulatesCameras: true,
    metricsPort: 9090,
    tokens: { authFlow: 'code', tokenParametersInQuery: false, signInsPerSecond: 10 },
    database: 'embedded',
  })
})

test('audit checkpoints stay in the data folder unless another folder is set', () => {
  expect(read({}).config.auditCheckpoints).toBeUndefined()
  expect(read({ SIGHTLINE_AUDIT_CHECKPOINTS: '/mnt/evidence' }).config.auditCheckpoints).toBe('/mnt/evidence')
})

test('third-party scripts are allowed only by settings, each with the origins it needs', () => {
  expect(read({}).config.others).toEqual({ tagManager: undefined, translation: undefined, embeddedBy: [] })
  const { config } = read({
    SIGHTLINE_TAG_MANAGER: 'GTM-ABC123,a1,env-2',
    SIGHTLINE_TAG_ORIGINS: 'https://*.google-analytics.com, https://c.example:8443',
    SIGHTLINE_TRANSLATION: 'translate.video.example,sightline',
    SIGHTLINE_EMBEDDED_BY: 'https://desktop.example',
  })
  expect(config.others).toEqual({
    tagManager: {
      trackingId: 'GTM-ABC123',
      auth: 'a1',
      preview: 'env-2',
      script: 'https://www.googletagmanager.com/gtm.js',
      origins: ['https://*.google-analytics.com', 'https://c.example:8443'],
    },
    translation: {
      host: 'translate.video.example',
      project: 'sightline',
      script: 'https://cdn.crowdin.com/jipt/jipt.js',
      origins: ['https://crowdin.com', 'https://*.crowdin.com'],
    },
    embeddedBy: ['https://desktop.example'],
  })
})

test('an empty variable counts as not set', () => {
  expect(read({ SIGHTLINE_PORT: '', SIGHTLINE_DEMO_PASSWORD: '' }).config.listen.port).toBe(8080)
})

test('values are parsed once into the form that the code needs', () => {
  const { config, given } = read({
    SIGHTLINE_HOST: '0.0.0.0',
    SIGHTLINE_PORT: '443',
    SIGHTLINE_TLS: '/etc/cert.pem,/etc/key.pem',
    SIGHTLINE_PUBLIC_URL: 'https://video.example',
    SIGHTLINE_CAMERA_NETWORKS: '192.168.1.0/24, fd00::/8',
    SIGHTLINE_DEMO: 'off',
    SIGHTLINE_METRICS_PORT: '0',
    SIGHTLINE_AUTH_FLOW: 'token',
    SIGHTLINE_TOKEN_PARAMETERS: 'query',
    SIGHTLINE_SIGN_INS_PER_SECOND: '0',
    SIGHTLINE_LOG: 'warn,text',
    DATABASE_URL: 'postgres://u:p@db.example/sightline',
  })
  expect(config).toMatchObject({
    listen: { host: '0.0.0.0', port: 443 },
    tls: { kind: 'files', certificate: '/etc/cert.pem', key: '/etc/key.pem' },
    cameraNetworks: ['192.168.1.0/24', 'fd00::/8'],
    isDemo: false,
    simulatesCameras: false,
    metricsPort: undefined,
    tokens: { authFlow: 'token', tokenParametersInQuery: true, signInsPerSecond: undefined },
    log: { level: 'warn', format: 'text' },
    database: 'external',
  })
  expect(config.publicUrl?.href).toBe('https://video.example/')
  expect(given.databaseUrl).toBe('postgres://u:p@db.example/sightline')
})

test.each([
  ['an unknown name', { SIGHTLINE_PROT: '1' }, /Unknown setting SIGHTLINE_PROT\. Did you mean SIGHTLINE_PORT\?/],
  ['an invalid port', { SIGHTLINE_PORT: '99999' }, /Invalid value "99999" for SIGHTLINE_PORT\. Expected 0 to 65535/],
  ['an invalid TLS mode', { SIGHTLINE_TLS: 'on' }, /Invalid value "on" for SIGHTLINE_TLS/],
  ['an invalid network', { SIGHTLINE_CAMERA_NETWORKS: '10.0.0.0/33' }, /for SIGHTLINE_CAMERA_NETWORKS\./],
  ['a public address with a path', { SIGHTLINE_PUBLIC_URL: 'https://a.example/b' }, /for SIGHTLINE_PUBLIC_URL\./],
  ['other machines without TLS', { SIGHTLINE_HOST: '0.0.0.0' }, /reachable from other machines.*Set SIGHTLINE_TLS/],
  ['https without TLS', { SIGHTLINE_PUBLIC_URL: 'https://a.example' }, /starts with https, but SIGHTLINE_TLS is off/],
  [
    'http with TLS',
    { SIGHTLINE_TLS: 'self-signed', SIGHTLINE_PUBLIC_URL: 'http://a.example' },
    /starts with http, but SIGHTLINE_TLS is self-signed/,
  ],
  [
    'every address as a trusted proxy',
    { SIGHTLINE_TRUSTED_PROXIES: '10.0.0.0/8,0.0.0.0/0' },
    /for SIGHTLINE_TRUSTED_PROXIES\./,
  ],
  ['an invalid proxy header', { SIGHTLINE_PROXY_HEADERS: 'x-real-ip' }, /for SIGHTLINE_PROXY_HEADERS\./],
  ['a proxy without its address', { SIGHTLINE_TLS: 'behind-proxy' }, /requires SIGHTLINE_PUBLIC_URL/],
  [
    'a policy instead of an origin',
    { SIGHTLINE_EMBEDDED_BY: 'https://a.example; script-src *' },
    /SIGHTLINE_EMBEDDED_BY/,
  ],
  ['a wildcard instead of an origin', { SIGHTLINE_TAG_MANAGER: 'GTM-1', SIGHTLINE_TAG_ORIGINS: '*' }, /TAG_ORIGINS/],
  [
    'a script with a query',
    { SIGHTLINE_TAG_MANAGER_SCRIPT: 'https://a.example/x.js?a=1' },
    /for SIGHTLINE_TAG_MANAGER_SCRIPT\./,
  ],
  [
    'tag origins without a tag manager',
    { SIGHTLINE_TAG_ORIGINS: 'https://a.example' },
    /requires SIGHTLINE_TAG_MANAGER,/,
  ],
  ['one port for two purposes', { SIGHTLINE_PORT: '9090' }, /are both 9090/],
  [
    'a demo password without a demonstration',
    { SIGHTLINE_DEMO: 'off', SIGHTLINE_DEMO_PASSWORD: 'abcdefgh' },
    /Unset one/,
  ],
  ['a database that is not PostgreSQL', { DATABASE_URL: 'mysql://u@h/d' }, /Invalid value for DATABASE_URL\./],
])('%s stops the start with one sentence', (_, environment, sentence) => {
  expect(() => read(environment)).toThrow(StartError)
  expect(() => read(environment)).toThrow(sentence)
})

test.each([['127.0.0.1'], ['127.8.8.8'], ['::1'], ['localhost']])("%s doesn't need TLS", (host) => {
  expect(read({ SIGHTLINE_HOST: host }).config.listen.host).toBe(host)
})

test("a refused secret isn't repeated, and printed settings hide secrets", () => {
  const planted = 'p1anted'
  expect(() => read({ SIGHTLINE_DEMO_PASSWORD: planted })).toThrow(/^(?!.*p1anted)/)
  const environment = { SIGHTLINE_DEMO_PASSWORD: `${planted}-secret`, DATABASE_URL: `postgres://u:${planted}@h/d` }
  expect(printableConfig(environment)).not.toContain(planted)
  expect(JSON.stringify(read(environment).config)).not.toContain(planted)
})

test.each([
  ['a mail server without a sender address', { SIGHTLINE_SMTP_URL: 'smtps://m.example' }],
  ['a sender address without a mail server', { SIGHTLINE_MAIL_FROM: 'a@m.example' }],
])('%s is refused', (_, environment) => {
  expect(() => read(environment)).toThrow(/Only one of SIGHTLINE_SMTP_URL and SIGHTLINE_MAIL_FROM is set/)
})

const S3 = {
  SIGHTLINE_S3_BUCKET: 'https://s3.eu-central-1.example/my-footage',
  SIGHTLINE_S3_REGION: 'eu-central-1',
  SIGHTLINE_S3_ACCESS_KEY: 'AKIAEXAMPLE',
  SIGHTLINE_S3_SECRET_KEY: 'hush/hush+hush',
}

test('a bucket is set with its key, whose secret is never printed', () => {
  const { config, given } = read(S3)
  expect(config.footageBucket).toEqual({
    endpoint: 'https://s3.eu-central-1.example',
    bucket: 'my-footage',
    region: 'eu-central-1',
    accessKey: 'AKIAEXAMPLE',
    use: 'copy',
  })
  expect(given.s3SecretKey).toBe('hush/hush+hush')
  expect(JSON.stringify(config) + printableConfig(S3)).not.toContain('hush')
  expect(() => read({ ...S3, SIGHTLINE_S3_SECRET_KEY: '' })).toThrow(/SIGHTLINE_S3_SECRET_KEY must be set too/)
})

test.each([
  ['http://s3.example/my-footage'],
  ['https://s3.example/'],
  ['https://s3.example/a/b'],
  ['https://me:you@s3.example/my-footage'],
  ['https://s3.example/my-footage?x=1'],
])('a bucket at %s is refused', (SIGHTLINE_S3_BUCKET) => {
  expect(() => read({ ...S3, SIGHTLINE_S3_BUCKET })).toThrow(/Invalid value .* for SIGHTLINE_S3_BUCKET/)
})

test("the mail server's URL is a secret: errors and printed settings don't show it", () => {
  const SIGHTLINE_SMTP_URL = 'smtps://me:hush-hush@m.example'
  const { config, given } = read({ SIGHTLINE_SMTP_URL, SIGHTLINE_MAIL_FROM: 'a@m.example' })
  expect(given.smtpServer).toMatchObject({ host: 'm.example', login: { user: 'me', password: 'hush-hush' } })
  expect(config.mail).toEqual({ kind: 'smtp', from: 'a@m.example' })
  expect(printableConfig({ SIGHTLINE_SMTP_URL })).not.toContain('hush-hush')
  const refused = () => read({ SIGHTLINE_SMTP_URL: 'smtps://me:hush-hush@m.example/box' })
  expect(refused).toThrow(/Invalid value for SIGHTLINE_SMTP_URL\./)
  expect(refused).not.toThrow(/hush/)
})

test.each([
  ['on loopback', {}, true],
  ['on loopback under its own name', { SIGHTLINE_PUBLIC_URL: 'http://localhost:8080' }, true],
  ['if others can connect', { SIGHTLINE_HOST: '0.0.0.0', SIGHTLINE_TLS: 'self-signed' }, false],
  ['behind a proxy', { SIGHTLINE_TLS: 'behind-proxy', SIGHTLINE_PUBLIC_URL: 'https://video.example' }, false],
  ['behind a proxy without TLS', { SIGHTLINE_TRUSTED_PROXIES: '10.0.0.5/32' }, false],
  ['under a public address', { SIGHTLINE_PUBLIC_URL: 'http://video.example' }, false],
])('emails captured %s are shown only if no one else can connect', (_, environment, isShown) => {
  expect(read(environment).config.mail).toEqual({ kind: 'kept', isShown })
})

test('proxies are trusted if they are listed, and behind a TLS proxy those on this machine', () => {
  expect(read({}).config.proxies).toEqual({ networks: [], header: 'x-forwarded' })
  const behind = { SIGHTLINE_TLS: 'behind-proxy', SIGHTLINE_PUBLIC_URL: 'https://video.example' }
  expect(read(behind).config.proxies.networks).toEqual(['127.0.0.0/8', '::1/128'])
  const named = { SIGHTLINE_TRUSTED_PROXIES: '172.18.0.0/16, fd00::/8', SIGHTLINE_PROXY_HEADERS: 'forwarded' }
  expect(read({ ...behind, ...named }).config.proxies).toEqual({
    networks: ['172.18.0.0/16', 'fd00::/8'],
    header: 'forwarded',
  })
})

test('RTSP is off unless it has a port, and needs a certificate of the server', () => {
  expect(read({}).config.rtspPort).toBeUndefined()
  expect(read({ SIGHTLINE_RTSP_PORT: '8554' }).config.rtspPort).toBe(8554)
  expect(() => read({ SIGHTLINE_RTSP_PORT: '8080' })).toThrow('Choose different ports')
  const proxied = { SIGHTLINE_TLS: 'behind-proxy', SIGHTLINE_PUBLIC_URL: 'https://video.example' }
  expect(() => read({ ...proxied, SIGHTLINE_RTSP_PORT: '8554' })).toThrow('needs a certificate')
})

test('WebRTC is off unless it has a port, and knows where viewers reach it', () => {
  expect(read({}).config.webRtc).toBeUndefined()
  expect(read({ SIGHTLINE_WEBRTC_PORT: '8189' }).config.webRtc).toEqual({ port: 8189, addresses: undefined })
  const addresses = { SIGHTLINE_WEBRTC_ADDRESSES: '203.0.113.7, 2001:db8::1' }
  const both = read({ SIGHTLINE_WEBRTC_PORT: '8189', ...addresses }).config.webRtc
  expect(both).toEqual({ port: 8189, addresses: ['203.0.113.7', '2001:db8::1'] })
  expect(() => read(addresses)).toThrow('WebRTC is off')
  const names = { SIGHTLINE_WEBRTC_PORT: '8189', SIGHTLINE_WEBRTC_ADDRESSES: 'video.example' }
  expect(() => read(names)).toThrow('SIGHTLINE_WEBRTC_ADDRESSES')
  expect(() => read({ SIGHTLINE_WEBRTC_PORT: '65535', SIGHTLINE_MEDIA_WORKERS: '2' })).toThrow('65536')
  const proxied = { SIGHTLINE_TLS: 'behind-proxy', SIGHTLINE_PUBLIC_URL: 'https://video.example' }
  expect(() => read({ ...proxied, SIGHTLINE_WEBRTC_PORT: '8189' })).toThrow('needs SIGHTLINE_WEBRTC_ADDRESSES')
  expect(read({ ...proxied, SIGHTLINE_WEBRTC_PORT: '8189', ...addresses }).config.webRtc).toEqual(both)
})

test('each worker listens on a UDP port of its own, on all addresses if viewers reach it at others', () => {
  const portsOf = (environment: Record<string, string>) =>
    webRtcPorts(read({ SIGHTLINE_WEBRTC_PORT: '8189', SIGHTLINE_MEDIA_WORKERS: '2', ...environment }).config)
  const loopback = { host: '127.0.0.1', addresses: ['127.0.0.1'] }
  expect(portsOf({})).toEqual([
    { ...loopback, port: 8189 },
    { ...loopback, port: 8190 },
  ])
  expect(portsOf({ SIGHTLINE_WEBRTC_ADDRESSES: '203.0.113.7' })[1]).toEqual({
    host: '0.0.0.0',
    port: 8190,
    addresses: ['203.0.113.7'],
  })
  expect(portsOf({ SIGHTLINE_WEBRTC_ADDRESSES: '2001:db8::1' })[0]?.host).toBe('::')
  const everywhere = portsOf({ SIGHTLINE_HOST: '0.0.0.0', SIGHTLINE_TLS: 'self-signed' })[0]?.addresses
  expect(everywhere).not.toContain('127.0.0.1')
})
