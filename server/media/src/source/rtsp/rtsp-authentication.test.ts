import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { authorization, strongestChallenge } from './rtsp-authentication.ts'

/** RFC 7616 §3.9.1. */
const rfc7616 = {
  credentials: { username: 'Mufasa', password: 'Circle of Life' },
  request: {
    method: 'GET',
    uri: '/dir/index.html',
    count: 1,
    cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  },
  challenge: (algorithm: string): string =>
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
}

describe('a response to a digest challenge', () => {
  test.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('%s matches RFC 7616', (algorithm, response) => {
    const challenge = strongestChallenge([rfc7616.challenge(algorithm)])
    if (challenge === undefined) throw new Error('no challenge')
    const header = authorization(challenge, rfc7616.credentials, rfc7616.request)
    expect(header).toContain(`response="${response}"`)
    expect(header).toContain('qop=auth, nc=00000001')
    expect(header).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"')
    expect(header).not.toContain('Circle')
  })

  test("without qop matches RFC 2069, with no field that the camera didn't send", () => {
    const challenge = strongestChallenge([
      'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"',
    ])
    if (challenge === undefined) throw new Error('no challenge')
    const header = authorization(
      challenge,
      { username: 'Mufasa', password: 'CircleOfLife' },
      { method: 'GET', uri: '/dir/index.html', count: 1 },
    )
    // The example of RFC 2069 §2.4 with the correction of its errata.
    expect(header).toContain('response="1949323746fe6a43ef61f9606e7febea"')
    expect(header).not.toMatch(/qop|cnonce|algorithm/)
  })

  test("can't be broken by a name with quotes or line breaks", () => {
    const challenge = strongestChallenge(['Digest realm="r", nonce="n"'])
    if (challenge === undefined) throw new Error('no challenge')
    const header = authorization(
      challenge,
      { username: 'a"\r\nX: \\b', password: '' },
      { method: 'M', uri: '/', count: 1 },
    )
    expect(header).toContain('username="a\\"X: \\\\b"')
    expect(header).not.toMatch(/[\r\n]/)
  })
})

describe('with several challenges', () => {
  const md5 = 'Digest realm="r", nonce="1"'
  const sha256 = 'Digest realm="r", nonce="2", algorithm=SHA-256'
  const basic = 'Basic realm="r"'

  test.each([
    [[md5, sha256, basic], { algorithm: 'SHA-256' }],
    [[basic, md5], { algorithm: 'MD5' }],
    [[`${basic}, ${md5}`], { algorithm: 'MD5' }],
    [[`${md5}, ${sha256}`], { algorithm: 'SHA-256', nonce: '2' }],
    [[basic], { scheme: 'basic' }],
    [['Digest realm="r", nonce="3", algorithm=SHA-512-256', md5], { algorithm: 'MD5', nonce: '1' }],
    [['digest realm=r,nonce=4,stale=TRUE'], { nonce: '4', stale: true }],
  ])('%j the strongest supported one is used', (headers, expected) => {
    expect(strongestChallenge(headers)).toMatchObject(expected)
  })

  test.each([[[]], [['']], [['Negotiate']], [['Digest realm="r"']], [['Digest nonce="1", qop="auth-int"']]])(
    '%j none can be answered',
    (headers) => {
      expect(strongestChallenge(headers)).toBeUndefined()
    },
  )

  test('any text gives a challenge with a one-line response, or nothing', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom('Digest ', 'Basic ', 'nonce="', '"', ',', 'realm=', 'qop=auth', '\\'),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const header = parts.join('').replaceAll(/[\r\n]/g, '')
        const challenge = strongestChallenge([header, `Digest nonce="x", ${header}`])
        if (challenge === undefined) return
        expect(authorization(challenge, rfc7616.credentials, rfc7616.request)).not.toMatch(/[\r\n]/)
      }),
      { numRuns: 2000, seed: 1 },
    )
  })
})
