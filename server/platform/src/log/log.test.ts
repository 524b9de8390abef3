import { expect, test } from 'vitest'
import { createLogger, type LogSettings } from './index.ts'

function logged(format: LogSettings['format'], write: (log: ReturnType<typeof createLogger>) => void): string {
  let text = ''
  write(createLogger({ level: 'debug', format, name: 'test' }, { write: (line) => (text += line) }))
  return text
}

const SECRET = 'p1anted-secret'

test.each([
  ['a header', { headers: { authorization: `Bearer ${SECRET}`, 'X-Password': SECRET, 'set-cookie': [SECRET] } }],
  ['a field however deep', { a: { b: { c: [{ access_token: SECRET }] } } }],
  ['a one-time code', { code: SECRET }],
  ['an address', { url: `/callback?access_token=${SECRET}&expires_in=3600&code=${SECRET}` }],
  ['a camera address', { address: `rtsp://admin:${SECRET}@10.0.0.7/stream1` }],
  ['an error and its cause', { err: new Error('no', { cause: new Error(`GET /x?token=${SECRET}`) }) }],
])("a secret in %s isn't logged", (_, fields) => {
  expect(logged('json', (log) => log.info(fields, 'happened'))).not.toContain(SECRET)
  expect(logged('text', (log) => log.info(fields, 'happened'))).not.toContain(SECRET)
  expect(logged('json', (log) => log.child(fields).info('happened'))).not.toContain(SECRET)
})

test.each([['ECONNREFUSED'], ['23505'], [8]])('the error code %s stays readable', (code) => {
  expect(logged('json', (log) => log.info({ code }, 'failed'))).toContain(String(code))
})

test('six digits in "code" are a one-time code', () => {
  expect(logged('json', (log) => log.info({ code: '123456' }))).not.toContain('123456')
})

test('a database error is logged without the row that it quotes', () => {
  const err = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(a@b.example) already exists.',
  })
  const line = logged('json', (log) => log.error({ err }, 'failed'))
  expect(line).toContain('23505')
  expect(line).not.toContain('a@b.example')
})

test('JSON has one object per line, and text has one line with the error below', () => {
  const write = (log: ReturnType<typeof createLogger>) =>
    log.warn({ cameraId: 7, err: new Error('timeout') }, 'camera is offline')
  expect(JSON.parse(logged('json', write))).toMatchObject({
    level: 'warn',
    name: 'test',
    cameraId: 7,
    msg: 'camera is offline',
  })
  expect(logged('text', write)).toMatch(/^\d\d:\d\d:\d\d ! test camera is offline cameraId=7\n {4}Error: timeout\n/)
})

test("logged values can't break a text line or move the cursor", () => {
  const sent = 'x\r\n00:00:00 ! forged\u001b[2J\u0085\u2028\u202e'
  const text = logged('text', (log) => log.warn({ path: sent, nested: { sent } }, sent))
  expect(text.match(/\n/g)).toHaveLength(1)
  expect(text).toContain(String.raw`path=x\r\n00:00:00 ! forged\u001b[2J\u0085\u2028\u202e`)
  const failed = logged('text', (log) => log.warn({ err: new Error(sent) }, 'failed'))
  expect(failed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u)
  // Lines of an error are below its own.
  expect(failed).not.toMatch(/^00:00:00/m)
})

test.each([
  [{ status: 200, ms: 12 }, false],
  [{ status: 404, ms: 12 }, false],
  [{ status: 499, ms: 12 }, false],
  [{ status: 503, ms: 12 }, true],
  [{ status: 200, ms: 2000 }, true],
  [{ method: 'UPGRADE' }, false],
])('when only notable requests are logged, %j is logged: %s', (fields, isWritten) => {
  for (const requests of ['notable', 'all'] as const) {
    const lines: string[] = []
    const settings = { level: 'info', format: 'json', name: 'test', requests } as const
    const log = createLogger(settings, { write: (line) => lines.push(line) })
    log.info(fields, 'request')
    log.child({ part: 'edge' }).info(fields, 'request')
    log.info(fields, 'another sentence')
    expect(lines).toHaveLength(isWritten || requests === 'all' ? 3 : 1)
  }
})
