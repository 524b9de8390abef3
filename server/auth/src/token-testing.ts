import type { AuthUnderTest } from './auth-testing.ts'
import type { TokenBody } from './browser-testing.ts'

/** The response of an OAuth endpoint to a program. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: TokenBody & Readonly<Record<string, unknown>>
}

export interface TokenCall {
  readonly basic?: readonly [id: string, secret: string]
  /** Defaults to `/oauth/token`. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Posts a form as a program does. */
export async function ask(
  { origin }: Pick<AuthUnderTest, 'origin'>,
  fields: Readonly<Record<string, string>>,
  { basic, path = '/oauth/token', headers }: TokenCall = {},
): Promise<Reply> {
  const authorization =
    basic === undefined ? {} : { authorization: `Basic ${Buffer.from(basic.join(':')).toString('base64')}` }
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { ...authorization, ...headers },
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}

/** A call below `users/self/` with that token; defaults to the list of its sign-ins. */
export async function rest({ origin }: Pick<AuthUnderTest, 'origin'>, token: string, call = 'GET tokens') {
  const [method = 'GET', path = ''] = call.split(' ')
  const response = await fetch(`${origin}/rest/v2.0/users/self/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

export const errorReply = (error: string, status = 400) => ({ status, body: { error } })
export const getCode = (back: URL): string => back.searchParams.get('code') ?? ''
