import { expect } from 'vitest'
import type { Fixture, TestModule } from './fixture.ts'

/** The test modules of oidcc-config-certification-test-plan, and the one of the logout plan about the same document. */
export type ConfigModule =
  | 'oidcc-discovery-endpoint-verification'
  | 'oidcc-rp-initiated-logout-discovery-endpoint-verification'

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'end_session_endpoint',
  'introspection_endpoint',
  'revocation_endpoint',
]

async function discovered({ origin }: Fixture): Promise<Readonly<Record<string, unknown>>> {
  const reply = await fetch(`${origin}/.well-known/openid-configuration`)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
  return (await reply.json()) as Record<string, unknown>
}

/**
 * The suite requires https for every endpoint. Ours have the issuer's origin, which is https if the operator's is; this
 * local test runs without.
 */
function areOfTheIssuer(document: Readonly<Record<string, unknown>>, origin: string): void {
  for (const name of ENDPOINTS) expect(String(document[name]), name).toMatch(new RegExp(`^${origin}/`))
  const named = Object.keys(document).filter((name) => name.endsWith('_endpoint') || name.endsWith('_uri'))
  expect([...named].sort()).toEqual([...ENDPOINTS].sort())
}

export const configModules: Readonly<Record<ConfigModule, TestModule>> = {
  'oidcc-discovery-endpoint-verification': {
    rule: 'the discovery document and its keys have what the specifications require',
    prove: async (fixture) => {
      const document = await discovered(fixture)
      expect(document.issuer).toBe(fixture.origin)
      areOfTheIssuer(document, fixture.origin)
      expect(document).toMatchObject({
        response_types_supported: expect.arrayContaining(['code']),
        grant_types_supported: expect.arrayContaining(['authorization_code']),
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
        scopes_supported: expect.arrayContaining(['openid', 'profile', 'email', 'phone', 'address']),
        claims_supported: expect.arrayContaining(['sub', 'name', 'email', 'phone_number', 'address']),
        token_endpoint_auth_methods_supported: expect.arrayContaining(['client_secret_basic', 'client_secret_post']),
        code_challenge_methods_supported: ['S256'],
        claims_parameter_supported: false,
        request_uri_parameter_supported: false,
        ui_locales_supported: ['en', 'de', 'es', 'ja', 'nl', 'pl', 'pt', 'tr'],
      })
      // Neither dynamic registration nor request objects are supported, which their absence expresses.
      expect(document).not.toHaveProperty('registration_endpoint')
      expect(document.request_parameter_supported ?? false).toBe(false)
      await areGoodKeys(String(document.jwks_uri))
    },
  },
  'oidcc-rp-initiated-logout-discovery-endpoint-verification': {
    rule: 'the discovery document names the logout endpoint',
    prove: async (fixture) => areOfTheIssuer(await discovered(fixture), fixture.origin),
  },
}

interface Key {
  readonly kid: string
  readonly alg: string
  readonly use: string
}

async function areGoodKeys(address: string): Promise<void> {
  const { keys } = (await (await fetch(address)).json()) as { readonly keys: readonly Key[] }
  expect(keys.some(({ alg }) => alg === 'RS256')).toBe(true)
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length)
  for (const key of keys) {
    expect(key).toMatchObject({ kid: expect.stringMatching(/./), use: 'sig' })
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'madeAt']) expect(key).not.toHaveProperty(secret)
  }
}
