import { parseArgs } from 'node:util'
import { type ClientRegistration, clientKinds, clientScopes, newClientId } from '@sightline/auth'
import { fail, ok, type Result } from '@sightline/platform/result'

/** The operator's command for registered clients. */
export type ClientCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'list' }
  | { readonly kind: 'add'; readonly client: NewClient; readonly user: NamedUser | undefined }
  | { readonly kind: 'secret'; readonly clientId: string; readonly endTokens: boolean }
  | { readonly kind: 'remove'; readonly clientId: string }

/** Everything except its user, who has to be looked up. */
export type NewClient = Omit<ClientRegistration, 'userId'>

export type NamedUser =
  | { readonly kind: 'id'; readonly userId: number }
  | { readonly kind: 'email'; readonly email: string }

export const USAGE = `npm run client -- <command>

  add --name <name> …     register a client and print its id and secret (shown only once)
      --redirect <address>    exact address to return to after sign-in; can be repeated
      --logged-out <address>  address to return to after sign-out; can be repeated
      --kind <kind>           confidential (can keep a secret; default), native (app on a device) or browser (script)
      --scope <scopes>        any of openid, profile, email, phone, address, read, write; default "read write"
      --id <id>               use this client id instead of a generated one
      --password-grant        allow the client to sign in with user passwords
      --token-callback        return the token in the redirect address (the specification's callback)
      --user <id or email>    act as this user without sign-in (client credentials)
      --reseller <id>         limit the client to users of this reseller
  list                    list all clients
  secret <id>             create a new secret for a client; the old secret stops working immediately
      --end-tokens            also revoke all its tokens, for example after a leak
  remove <id>             remove a client and revoke all its tokens
`

const NUMBER = /^[1-9][0-9]{0,15}$/

const OPTIONS = {
  name: { type: 'string' },
  redirect: { type: 'string', multiple: true },
  'logged-out': { type: 'string', multiple: true },
  kind: { type: 'string' },
  scope: { type: 'string' },
  id: { type: 'string' },
  'password-grant': { type: 'boolean' },
  'token-callback': { type: 'boolean' },
  user: { type: 'string' },
  reseller: { type: 'string' },
} as const

/** The command, or a sentence about what cannot be understood. */
export function readCommand(words: readonly string[]): Result<ClientCommand, string> {
  const [kind, ...rest] = words
  switch (kind) {
    case undefined:
    case 'help':
    case '--help':
      return ok({ kind: 'help' })
    case 'list':
      return rest.length === 0 ? ok({ kind }) : fail('list takes no arguments.')
    case 'add':
      return readAdd(rest)
    case 'secret': {
      const ids = rest.filter((word) => word !== END_TOKENS)
      return withClient(ids, kind, (clientId) => ({ kind, clientId, endTokens: ids.length < rest.length }))
    }
    case 'remove':
      return withClient(rest, kind, (clientId) => ({ kind, clientId }))
    default:
      return fail(`Unknown command ${kind}.`)
  }
}

const END_TOKENS = '--end-tokens'

function withClient(
  words: readonly string[],
  kind: string,
  commandFor: (clientId: string) => ClientCommand,
): Result<ClientCommand, string> {
  const [clientId, ...more] = words
  return clientId === undefined || clientId.startsWith('-') || more.length > 0
    ? fail(`${kind} needs the id of one client.`)
    : ok(commandFor(clientId))
}

function readAdd(words: readonly string[]): Result<ClientCommand, string> {
  const parsed = parse(words)
  if (!parsed.ok) return parsed
  const values = parsed.value
  const kind = clientKinds.find((one) => one === (values.kind ?? 'confidential'))
  if (kind === undefined) return fail(`--kind must be one of ${clientKinds.join(', ')}.`)
  const asked = (values.scope ?? 'read write').split(/[\s,]+/).filter((scope) => scope !== '')
  const scopes = clientScopes.filter((scope) => asked.includes(scope))
  if (scopes.length !== asked.length) return fail(`--scope can contain ${clientScopes.join(', ')}.`)
  const { user, reseller } = values
  if (reseller !== undefined && !NUMBER.test(reseller)) return fail('--reseller must be a number.')
  if (user !== undefined && namedUser(user) === undefined) return fail('--user must be an id or an email address.')
  const client: NewClient = {
    clientId: values.id ?? newClientId(),
    kind,
    name: values.name ?? '',
    redirectUris: values.redirect ?? [],
    loggedOutUris: values['logged-out'] ?? [],
    scopes,
    passwordGrant: values['password-grant'] === true,
    legacyTokenCallback: values['token-callback'] === true,
    resellerId: reseller === undefined ? undefined : Number(reseller),
  }
  return ok({ kind: 'add', client, user: user === undefined ? undefined : namedUser(user) })
}

function namedUser(text: string): NamedUser | undefined {
  if (NUMBER.test(text)) return { kind: 'id', userId: Number(text) }
  return text.includes('@') ? { kind: 'email', email: text } : undefined
}

function parse(words: readonly string[]) {
  try {
    return ok(parseArgs({ args: [...words], options: OPTIONS, strict: true }).values)
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}
