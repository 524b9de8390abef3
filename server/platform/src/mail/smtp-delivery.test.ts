import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { type Mail, smtpDelivery } from './index.ts'
import { startSmtpReceiver } from './testing/index.ts'

const mail: Mail = {
  id: '7.42',
  to: 'ada@video.example',
  date: Date.UTC(2026, 10, 21, 12),
  senderName: 'Blüe Eye',
  subject: 'Grüße',
  text: 'Plain.\n\n.\nhttps://video.example/abc\n',
  html: '<!doctype html><html><head></head><body><img src="cid:logo"><p>Rich.</p></body></html>',
  language: 'de',
  pictures: [{ name: 'logo', type: 'image/png', base64: 'iVBORw0KGgo=' }],
}
const from = 'no-reply@sender.example'
const to = (port: number, login?: { user: string; password: string }) =>
  smtpDelivery({ server: { host: '127.0.0.1', port, security: 'off', login }, from })

test('an email arrives with its headers, both parts and its picture', async () => {
  await using receiver = await startSmtpReceiver()
  expect(await to(receiver.port)(mail)).toEqual({ ok: true, value: undefined })
  const [got] = receiver.mails
  expect(got).toMatchObject({ from, to: ['ada@video.example'] })
  const [head = '', ...rest] = got?.raw.split('\n\n') ?? []
  const lines = head.replaceAll(/\n[ \t]+/g, ' ').split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'From: =?UTF-8?Q?Bl=C3=BCe_Eye?= <no-reply@sender.example>',
      'To: ada@video.example',
      'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
      'Message-ID: <7.42@sender.example>',
      'Date: Sat, 21 Nov 2026 12:00:00 +0000',
      'Content-Language: de',
      'Auto-Submitted: auto-generated',
    ]),
  )
  // Quoted-printable breaks long lines.
  const body = rest.join('\n\n').replaceAll('=\n', '')
  expect(body).toMatch(/Content-Type: text\/plain; charset=utf-8[\s\S]*Plain\.\n\n\.\nhttps:\/\/video\.example\/abc/)
  expect(body).toMatch(/Content-Type: text\/html; charset=utf-8[\s\S]*<p>Rich\.<\/p>/)
  expect(body).toMatch(/Content-Type: image\/png[\s\S]*Content-ID: <logo>/i)
})

test.each([
  ['subject', { subject: 'Hi\r\nBcc: thief@evil.example' }],
  ['name of the sender', { senderName: 'Eye"\r\nBcc: thief@evil.example\r\n\r\nbody' }],
  ['name that looks like a list', { senderName: 'a@evil.example>, <thief@evil.example' }],
  ['language', { language: 'de\r\nBcc: thief@evil.example' }],
])('text in the %s can’t become a header or a recipient', async (_, evil) => {
  await using receiver = await startSmtpReceiver()
  expect((await to(receiver.port)({ ...mail, ...evil })).ok).toBe(true)
  const [got] = receiver.mails
  expect(got?.to).toEqual(['ada@video.example'])
  expect(got?.from).toBe(from)
  const head = got?.raw.split('\n\n', 1)[0] ?? ''
  expect(head).not.toMatch(/^Bcc:/im)
  expect(receiver.said.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<ada@video.example>'])
})

test.each([
  'ada@video.example, thief@evil.example',
  'ada@video.example\r\nRCPT TO:<thief@evil.example>',
  'Ada <ada@video.example>',
  '<ada@video.example>',
  'ada',
  '',
  `${'a'.repeat(250)}@video.example`,
])('%j isn’t a single address and is refused before contacting a server', async (address) => {
  await using receiver = await startSmtpReceiver()
  expect(await to(receiver.port)({ ...mail, to: address })).toMatchObject({ failure: { concerns: 'never' } })
  expect(receiver.said).toEqual([])
})

test.each([
  ['RCPT', '550 5.1.1 no such user', 'never', /rejected: 550 5\.1\.1 no such user/],
  ['RCPT', '451 4.7.1 greylisted', 'mail', /451 4\.7\.1 greylisted/],
  ['MESSAGE', '554 5.7.1 spam: https://video.example/abc', 'never', /^email rejected: 554$/],
  ['MAIL', '530 5.7.0 log in first', 'server', /530 5\.7\.0/],
  ['AUTH', '535 5.7.8 bad secret-of-smtp', 'server', /^user or password rejected: 535$/],
] as const)('a reply to %s of %s concerns: %s', async (command, reply, concerns, reason) => {
  await using receiver = await startSmtpReceiver()
  receiver.answer(command, reply)
  const answer = await to(receiver.port, { user: 'me', password: 'secret-of-smtp' })(mail)
  expect(answer).toMatchObject({ ok: false, failure: { concerns, reason: expect.stringMatching(reason) } })
  expect(JSON.stringify(answer)).not.toMatch(/secret-of-smtp|example\/abc/)
})

test('an unreachable server concerns all emails', async () => {
  const { port } = await startSmtpReceiver().then(async (receiver) => {
    await receiver[Symbol.asyncDispose]()
    return receiver
  })
  const answer = await to(port, { user: 'me', password: 'secret-of-smtp' })(mail)
  expect(answer).toMatchObject({ ok: false, failure: { concerns: 'server' } })
  expect(JSON.stringify(answer)).toMatch(/ECONNREFUSED/)
  expect(JSON.stringify(answer)).not.toContain('secret-of-smtp')
})

test('without the requested encryption neither the password nor the email is sent', async () => {
  await using receiver = await startSmtpReceiver()
  receiver.answer('STARTTLS', '502 5.5.1 not here')
  const login = { user: 'me', password: 'secret-of-smtp' }
  const server = { host: '127.0.0.1', port: receiver.port, security: 'starttls', login } as const
  expect(await smtpDelivery({ server, from })(mail)).toMatchObject({ ok: false, failure: { concerns: 'server' } })
  expect(receiver.said.map((line) => line.split(' ')[0])).not.toContain('AUTH')
  expect(receiver.mails).toEqual([])
})

test('anything that isn’t a mail server is given up', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  expect(await to(port)(mail)).toMatchObject({ ok: false, failure: { concerns: 'server' } })
  await new Promise((resolve) => server.close(resolve))
})
