import { languageCode, type UserDetails } from '@sightline/contract/user-details'
import type { Tx } from '@sightline/platform/db'

interface Key {
  readonly accountId: number
  readonly userId: number
}

export async function loadDetails(tx: Tx, key: Key): Promise<UserDetails> {
  const row = await tx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .select(['users.language', 'company_name', 'country', 'phone', 'address', 'city', 'region', 'postal_code'])
    .select(['secondary_phone', 'accounts.time_zone'])
    .where('users.account_id', '=', key.accountId)
    .where('users.user_id', '=', key.userId)
    .executeTakeFirstOrThrow()
  return {
    language: languageCode.parse(row.language),
    companyName: row.company_name,
    country: row.country,
    phone: row.phone,
    address: row.address,
    city: row.city,
    region: row.region,
    postalCode: row.postal_code,
    secondaryPhone: row.secondary_phone,
    timeZone: row.time_zone,
  }
}

export async function saveDetails(tx: Tx, key: Key, details: UserDetails): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      language: details.language,
      company_name: details.companyName,
      country: details.country,
      phone: details.phone,
      address: details.address,
      city: details.city,
      region: details.region,
      postal_code: details.postalCode,
      secondary_phone: details.secondaryPhone,
    })
    .where('account_id', '=', key.accountId)
    .where('user_id', '=', key.userId)
    .execute()
}

/** Locks this user until the transaction ends. */
export async function lockUser(tx: Tx, key: Key): Promise<void> {
  await tx
    .selectFrom('users')
    .select('user_id')
    .where('account_id', '=', key.accountId)
    .where('user_id', '=', key.userId)
    .forUpdate()
    .execute()
}
