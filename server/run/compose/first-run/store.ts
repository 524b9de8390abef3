import type { AuthPlane } from '@sightline/contract/auth-plane'
import { allModules, allPermissions } from '@sightline/contract/rights'
import type { SignInLanguage } from '@sightline/contract/sign-in-pages'
import { foldEmail } from '@sightline/contract/user-details'
import { type Db, type IdSource, PROVIDER_ID, type Tx } from '@sightline/platform/db'
import { FIRST_PACKAGE_SKU, insertSubscription } from './first-subscription.ts'
import type { FirstUser } from './form.ts'
import { insertPackages, standardPackages } from './standard-packages.ts'

/** Key in table `installation` for the SHA-256 of the valid code. */
const CODE = 'first-run'
/** Fixed by the specification §9: self-service goes through this reseller. */
const SELF_SERVICE_RESELLER_ID = 255

const firstZoneName: Readonly<Record<SignInLanguage, string>> = {
  en: 'Home',
  de: 'Zuhause',
  es: 'Casa',
  ja: '自宅',
  nl: 'Thuis',
  pl: 'Dom',
  pt: 'Casa',
  tr: 'Ev',
}

/**
 * Makes `codeSha256` the only valid code if no user was ever created. Returns false if there are users. Runs as the
 * role `owner`, which sees every account.
 */
export function admitFirstUser(owner: Db, codeSha256: string): Promise<boolean> {
  return owner.transaction(async (tx) => {
    await tx.deleteFrom('installation').where('key', '=', CODE).execute()
    if (await hasPeople(tx)) return false
    // A process that ended between the two commits of `createFirstUser` left a password without a user.
    await tx.deleteFrom('auth.credentials').execute()
    await tx.insertInto('installation').values({ key: CODE, value: codeSha256 }).execute()
    return true
  })
}

/** Is this the code that is valid now? Any role may ask. */
export async function isValidCode(db: Db, codeSha256: string): Promise<boolean> {
  const row = await db.plain
    .selectFrom('installation')
    .select('key')
    .where('key', '=', CODE)
    .where('value', '=', codeSha256)
    .executeTakeFirst()
  return row !== undefined
}

export interface Creation {
  readonly codeSha256: string
  readonly person: FirstUser
  readonly language: SignInLanguage
  /** Of the account, as in the IANA database. */
  readonly timeZone: string
  /** Who asked, for the audit log. */
  readonly address: string
}

export interface CreationDeps {
  /** Under the role `owner`: no plane may create accounts. */
  readonly owner: Db
  readonly ids: IdSource
  readonly auth: Pick<AuthPlane, 'createCredentials'>
}

/**
 * Creates distributor, reseller 255 with packages, an account with a subscription, its owner and a first zone, and the
 * administrator, who is the same person; and uses the code up, all in one transaction. The authorization server sets
 * both passwords while the transaction is open, so no user exists without one; if the process ends before the commit,
 * the code stays valid and the password has no user. Returns false if the code is no longer valid.
 */
export async function createFirstUser(creation: Creation, deps: CreationDeps): Promise<boolean> {
  const { ids, auth, owner } = deps
  // Chosen before the transaction: if that is repeated, the password is set for the same user again.
  const rows = {
    accountId: await ids.next(),
    administratorId: await ids.next(),
    distributorId: await ids.next(),
    zoneId: await ids.next(),
    auditLogId: await ids.next(),
  }
  return owner.transaction(async (tx) => {
    if (!(await useUp(tx, creation.codeSha256)) || (await hasPeople(tx))) return false
    await insertAll(tx, creation, rows)
    const { accountId, administratorId } = rows
    const { password } = creation.person
    await auth.createCredentials({ userId: accountId, accountId, password })
    await auth.createCredentials({ userId: administratorId, accountId: PROVIDER_ID, password })
    return true
  })
}

/** Of two forms with the same code, the second waits here for the first's commit and then finds no valid code. */
async function useUp(tx: Tx, codeSha256: string): Promise<boolean> {
  const used = await tx
    .deleteFrom('installation')
    .where('key', '=', CODE)
    .where('value', '=', codeSha256)
    .returning('key')
    .executeTakeFirst()
  return used !== undefined
}

async function hasPeople(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('auth.people').select('user_id').limit(1).executeTakeFirst()) !== undefined
}

interface RowIds {
  /** The id of the account and of its owner (specification §6: accountId equals userId). */
  readonly accountId: number
  /** The same person as a staff member. */
  readonly administratorId: number
  readonly distributorId: number
  readonly zoneId: number
  readonly auditLogId: number
}

async function insertAll(tx: Tx, creation: Creation, ids: RowIds): Promise<void> {
  const { person, language } = creation
  const { company: name } = person
  const account_id = ids.accountId
  const distributor_id = ids.distributorId
  const reseller_id = SELF_SERVICE_RESELLER_ID
  await tx.insertInto('distributors').values({ distributor_id, name }).execute()
  await tx
    .insertInto('resellers')
    .values({ reseller_id, distributor_id, name, modules: everyModule, time_zone: creation.timeZone })
    .execute()
  await insertPackages(tx, reseller_id, standardPackages)
  await tx
    .insertInto('accounts')
    .values({ account_id, reseller_id, name, time_zone: creation.timeZone, user_self_service_management: true })
    .execute()
  await insertSubscription(tx, { accountId: account_id, resellerId: reseller_id, sku: FIRST_PACKAGE_SKU })
  await tx
    .insertInto('users')
    .values({
      account_id,
      user_id: account_id,
      reseller_id,
      email: person.email,
      email_folded: foldEmail(person.email),
      first_name: person.firstName,
      last_name: person.lastName,
      company_name: name,
      language,
    })
    .execute()
  await insertAdministrator(tx, creation, ids.administratorId)
  await tx.insertInto('zones').values({ account_id, zone_id: ids.zoneId, name: firstZoneName[language] }).execute()
  await tx
    .insertInto('audit_log')
    .values({
      account_id,
      audit_log_id: ids.auditLogId,
      user_id: account_id,
      actor_name: `${person.firstName} ${person.lastName}`,
      action: 'firstPersonCreated',
      target_kind: 'user',
      target_id: account_id,
      address: creation.address,
    })
    .execute()
}

/** The operator's own account gets every feature. */
const everyModule = JSON.stringify(Object.fromEntries(allModules.map((module) => [module, true])))

async function insertAdministrator(tx: Tx, { person, language }: Creation, userId: number): Promise<void> {
  await tx
    .insertInto('staff')
    .values({
      user_id: userId,
      level: 'admin',
      organisation_id: PROVIDER_ID,
      email: person.email,
      email_folded: foldEmail(person.email),
      first_name: person.firstName,
      last_name: person.lastName,
      language,
      permissions: allPermissions,
    })
    .execute()
}
