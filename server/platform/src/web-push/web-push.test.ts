import { createECDH, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { manualClock } from '../clock/index.ts'
import { encryptPush, LONGEST_PUSH_BYTES } from './encryption.ts'
import { isPointOfP256, isPushEndpoint, type PushSubscription, publicPushKey, pushDelivery } from './index.ts'
import { decrypt, type PushSubscriptionJson, startPushReceiver } from './testing/index.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')

/** RFC 8291, section 5 and appendix A. */
const rfc = {
  text: 'When I grow up, I want to be a watermelon',
  salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  ourPrivate: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  theirPublic: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
  theirPrivate: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
  auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}
const rfcBrowser = { endpoint: 'https://push.example.net/x', p256dh: rfc.theirPublic, auth: rfc.auth }

describe('encryption', () => {
  test('matches RFC 8291 to the last byte', () => {
    const body = encryptPush(rfcBrowser, rfc.text, { salt: rfc.salt, privateKey: rfc.ourPrivate })
    expect(body.toString('base64url')).toBe(rfc.body)
  })

  test('can be opened only with the browser’s key, and is never the same twice', () => {
    const keys = createECDH('prime256v1')
    keys.setPrivateKey(rfc.theirPrivate)
    const [one, other] = [encryptPush(rfcBrowser, 'Tür ✓'), encryptPush(rfcBrowser, 'Tür ✓')]
    expect(decrypt(one, { keys, auth: rfc.auth })).toBe('Tür ✓')
    expect(one.equals(other)).toBe(false)
    keys.generateKeys()
    expect(() => decrypt(one, { keys, auth: rfc.auth })).toThrow()
  })

  test('accepts as much as push services do, and no byte more', () => {
    expect(encryptPush(rfcBrowser, 'x'.repeat(LONGEST_PUSH_BYTES))).toHaveLength(4096)
    expect(() => encryptPush(rfcBrowser, 'x'.repeat(LONGEST_PUSH_BYTES + 1))).toThrow(/at most/)
  })

  test('accepts only keys that are points on the curve', () => {
    expect(isPointOfP256(rfc.theirPublic)).toBe(true)
    const bent = Buffer.from(rfc.theirPublic)
    bent[64] = (bent[64] ?? 0) ^ 1
    for (const no of [bent, Buffer.alloc(65), Buffer.alloc(65, 4), rfc.theirPublic.subarray(1)]) {
      expect(isPointOfP256(no)).toBe(false)
    }
  })
})

describe('delivery', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const clock = manualClock(Date.parse('2026-11-21T12:00:00Z'))
  const settings = { privateKey, contact: 'mailto:operator@video.example', networks: ['127.0.0.0/8'], clock }
  const deliver = pushDelivery(settings)
  const toSubscription = ({ endpoint, keys }: PushSubscriptionJson): PushSubscription => ({
    endpoint,
    p256dh: bytes(keys.p256dh),
    auth: bytes(keys.auth),
  })
  const strict = pushDelivery({ ...settings, networks: [] })
  const at = (endpoint: string) => ({ to: { ...rfcBrowser, endpoint }, text: 'x', ttlS: 60 })

  test('brings the text to that browser, with the sender and how long it is valid', async () => {
    await using receiver = await startPushReceiver()
    const to = toSubscription(receiver.subscribe())
    expect(await deliver({ to, text: '{"title":"Door"}', ttlS: 3600, topic: 'camera-12' })).toEqual({ ok: true })
    const [message] = receiver.messages
    expect(message?.text).toBe('{"title":"Door"}')
    expect(message?.headers).toMatchObject({ ttl: '3600', urgency: 'high', topic: 'camera-12' })
    expect(message?.claims).toEqual({
      aud: receiver.origin,
      exp: clock.now() / 1000 + 12 * 3600,
      sub: 'mailto:operator@video.example',
    })
    expect(message?.headers.authorization).toContain(publicPushKey(privateKey))
  })

  test.each([
    [404, {}, { kind: 'gone' }],
    [410, {}, { kind: 'gone' }],
    [429, { 'retry-after': '30' }, { kind: 'later', reason: 'the push service answered 429', afterS: 30 }],
    [503, { 'retry-after': 'Sat, 21 Nov 2026 12:01:00 GMT' }, { kind: 'later', afterS: 60 }],
    [503, { 'retry-after': '999999999' }, { kind: 'later', afterS: 3600 }],
    [500, { 'retry-after': 'soon' }, { kind: 'later', afterS: undefined }],
    [400, {}, { kind: 'never', reason: 'the push service answered 400' }],
    // The redirect isn't followed.
    [302, { location: 'http://169.254.169.254/' }, { kind: 'never' }],
  ])('handles a reply of %i %j', async (status, headers, failure) => {
    await using receiver = await startPushReceiver()
    const to = toSubscription(receiver.subscribe())
    receiver.answer(status, headers)
    expect(await deliver({ to, text: 'x', ttlS: 60 })).toMatchObject({ ok: false, failure })
    expect(receiver.asked()).toBe(1)
  })

  test.each([
    'https://127.0.0.1/x',
    'https://127.1/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://[::1]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://localhost/x',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/x',
    'https://192.168.1.1/x',
    'http://93.184.216.34/x',
  ])('to %s is refused, with the same result as an unreachable address', async (endpoint) => {
    const told = await strict(at(endpoint))
    const reason = expect.stringMatching(/^could not reach the push service \(EREFUSED\)$/)
    expect(told).toEqual({ ok: false, failure: { kind: 'later', reason, afterS: undefined } })
  })

  test('sends no request to a refused address, even by name', async () => {
    let asked = 0
    const server = createServer((_, res) => {
      asked += 1
      res.end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await pushDelivery({ ...settings, networks: ['10.0.0.0/8'] })(at(`http://localhost:${port}/x`))
    expect(asked).toBe(0)
    await pushDelivery({ ...settings, networks: ['127.0.0.0/8', '::1/128'] })(at(`http://localhost:${port}/x`))
    expect(asked).toBe(1)
    server.close()
  })

  test('to a closed port is retried later', async () => {
    expect(await deliver(at('http://127.0.0.1:1/x'))).toMatchObject({ ok: false, failure: { kind: 'later' } })
  })

  test.each([
    ['https://fcm.googleapis.com/fcm/send/x', [], true],
    ['http://fcm.googleapis.com/fcm/send/x', [], false],
    ['http://10.0.0.1/x', ['10.0.0.0/8'], true],
    ['https://me:secret@push.example/x', [], false],
    ['https://push.example/x#y', [], false],
    ['ftp://push.example/x', ['10.0.0.0/8'], false],
    ['javascript:alert(1)', [], false],
    ['push.example', [], false],
    [`https://push.example/${'x'.repeat(1024)}`, [], false],
  ])('accepts %s with %j: %s', (endpoint, networks, may) => {
    expect(isPushEndpoint(endpoint, { networks })).toBe(may)
  })
})
