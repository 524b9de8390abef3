import type { Db } from '@sightline/platform/db'

/** A user's claims by scope (OpenID Connect Core §5.4); only known values. */
export const claimsByScope = {
  openid: ['sub'],
  profile: ['name', 'given_name', 'family_name', 'locale'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  address: ['address'],
}

/** OpenID Connect Core §5.1.1. */
interface Address {
  readonly formatted: string
  readonly street_address: string | undefined
  readonly locality: string | undefined
  readonly region: string | undefined
  readonly postal_code: string | undefined
  readonly country: string | undefined
}

const query = (db: Db, userId: number) =>
  db.plain
    .selectFrom('auth.people as p')
    .leftJoin('users as u', 'u.user_id', 'p.user_id')
    .leftJoin('staff as s', 's.user_id', 'p.user_id')
    .select(['p.name', 'p.email', 'p.language', 'u.first_name', 'u.last_name', 'u.phone', 's.phone as staff_phone'])
    .select(['s.first_name as staff_first_name', 's.last_name as staff_last_name'])
    .select(['u.address', 'u.city', 'u.region', 'u.postal_code', 'u.country'])
    .where('p.user_id', '=', userId)

type Row = Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirstOrThrow']>>

/** All claims of that user; callers get the allowed ones. */
export async function loadClaims(db: Db, userId: number): Promise<Readonly<Record<string, unknown>>> {
  const row = await query(db, userId).executeTakeFirst()
  const phone = row?.phone ?? row?.staff_phone ?? undefined
  return {
    name: row?.name,
    given_name: row?.first_name ?? row?.staff_first_name ?? undefined,
    family_name: row?.last_name ?? row?.staff_last_name ?? undefined,
    locale: row?.language,
    email: row?.email,
    // Emails are sent to the address, but no record shows that it was verified.
    email_verified: row === undefined ? undefined : false,
    phone_number: phone,
    phone_number_verified: phone === undefined ? undefined : false,
    address: row === undefined ? undefined : addressOf(row),
  }
}

const present = (text: string | null): string | undefined => (text === null || text === '' ? undefined : text)

function addressOf(row: Row): Address | undefined {
  const street_address = present(row.address)
  const [locality, region] = [present(row.city), present(row.region)]
  const [postal_code, country] = [present(row.postal_code), present(row.country)]
  const place = [postal_code, locality].filter((part) => part !== undefined).join(' ')
  const formatted = [street_address, place, region, country]
    .filter((line) => line !== undefined && line !== '')
    .join('\n')
  return formatted === '' ? undefined : { formatted, street_address, locality, region, postal_code, country }
}
