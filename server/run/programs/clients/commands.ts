import {
  addClient,
  checkRegistration,
  listClients,
  newClientSecret,
  type RegisteredClient,
  removeClient,
  replaceSecret,
} from '@sightline/auth'
import type { Db } from '@sightline/platform/db'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type ClientCommand, type NamedUser, type NewClient, USAGE } from './options.ts'
import { findUsers, isReseller } from './store.ts'

/**
 * Runs the operator's command as the database's owner; returns the text to print, or a sentence about the error. A
 * secret appears only in that text: the database stores its SHA-256.
 */
export async function runCommand(command: ClientCommand, db: Db): Promise<Result<string, string>> {
  switch (command.kind) {
    case 'help':
      return ok(USAGE)
    case 'list':
      return ok((await listClients(db)).map(describe).join('\n') || 'No clients are registered.\n')
    case 'add':
      return add(db, command.client, command.user)
    case 'secret': {
      const { clientId, endTokens } = command
      const { secret, sha256 } = newClientSecret()
      const isReplaced = await replaceSecret(db, { clientId, sha256, endTokens })
      if (!isReplaced) return fail(`Confidential client ${clientId} not found.`)
      return ok(`${credentialsOf(clientId, secret)}${endTokens ? TOKENS_ENDED : TOKENS_GO_ON}`)
    }
    case 'remove': {
      const { clientId } = command
      const isRemoved = await removeClient(db, clientId)
      return isRemoved ? ok(`Removed ${clientId} and revoked all its tokens.\n`) : fail(`Client ${clientId} not found.`)
    }
  }
}

const TOKENS_ENDED = 'All its tokens are revoked.\n'
const TOKENS_GO_ON = 'Its existing tokens still work; to revoke them too, use secret <id> --end-tokens.\n'

async function add(db: Db, given: NewClient, user: NamedUser | undefined): Promise<Result<string, string>> {
  const { clientId, resellerId } = given
  if (resellerId !== undefined && !(await isReseller(db, resellerId))) return fail(`Reseller ${resellerId} not found.`)
  const users = user === undefined ? [] : await findUsers(db, user, resellerId)
  if (user !== undefined && users.length !== 1) {
    return fail(
      users.length === 0
        ? 'User not found.'
        : `Several users have this email address. Use one of these ids: ${users.join(', ')}.`,
    )
  }
  const checked = checkRegistration({ ...given, userId: users[0] })
  if (!checked.ok) return checked
  const isConfidential = given.kind === 'confidential'
  const { secret, sha256 } = newClientSecret()
  const isAdded = await addClient(db, { ...checked.value, secretSha256: isConfidential ? sha256 : undefined })
  if (!isAdded) return fail(`A client ${clientId} already exists.`)
  return ok(credentialsOf(clientId, isConfidential ? secret : undefined))
}

function credentialsOf(clientId: string, secret: string | undefined): string {
  const id = `client_id      ${clientId}\n`
  if (secret === undefined) return `${id}This client has no secret: it uses PKCE.\n`
  return `${id}client_secret  ${secret}\nThe secret is shown only once. Store it now.\n`
}

function describe(client: RegisteredClient): string {
  const ways = [
    ...(client.redirectUris.length > 0 ? ['code'] : []),
    ...(client.passwordGrant ? ['password'] : []),
    ...(client.legacyTokenCallback ? ['token callback'] : []),
    ...(client.userId === undefined ? [] : [`acts for user ${client.userId}`]),
    ...(client.resellerId === undefined ? [] : [`of reseller ${client.resellerId}`]),
  ]
  const addresses = client.redirectUris.map((uri) => `  ${uri}\n`).join('')
  return `${client.clientId}  ${client.name}\n  ${client.kind}; ${client.scopes.join(' ')}; ${ways.join(', ')}\n${addresses}`
}
