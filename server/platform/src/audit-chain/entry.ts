import { hash } from 'node:crypto'
import { sql } from 'kysely'

/** The personal fields of an entry, in the order of its commitments. Erasure sets all four and the salt to null. */
export const PERSONAL_FIELDS = ['actor_name', 'before', 'after', 'address'] as const
const PLAIN_FIELDS = [
  'account_id',
  'audit_log_id',
  'at',
  'user_id',
  'staff_id',
  'api_key_id',
  'client_id',
  'action',
  'target_kind',
  'target_id',
] as const

export type PersonalField = (typeof PERSONAL_FIELDS)[number]
type PlainField = (typeof PLAIN_FIELDS)[number]

/** An entry of the audit log with each field as the text that `LINE_COLUMNS` produces, so that nothing is rounded. */
export type EntryTexts = Readonly<Record<PlainField | PersonalField, string | null>> & { readonly salt: Buffer | null }

/**
 * The fields of `audit_log l` as texts, on a connection in UTF-8: numbers in decimal, `at` as seconds since 1970 with six decimals, JSON as PostgreSQL writes
 * `jsonb`. Those texts do not depend on any setting of the server.
 */
export const LINE_COLUMNS = sql`
  l.account_id::text as account_id, l.audit_log_id::text as audit_log_id, extract(epoch from l.at)::text as at,
  l.user_id::text as user_id, l.staff_id::text as staff_id, l.api_key_id::text as api_key_id, l.client_id, l.action,
  l.target_kind, l.target_id::text as target_id, l.actor_name, l.before::text as before, l.after::text as after, l.address,
  l.salt`

const HASH_BYTES = 32

/** The bytes behind their number (4 bytes, big-endian), so that no two lists of values become the same bytes. */
function prefixed(value: string | Buffer): readonly Buffer[] {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return [length, bytes]
}

const sha256 = (parts: readonly Buffer[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer')

const NO_SALT = Buffer.alloc(0)
const ABSENT = Buffer.from([0])
const PRESENT = Buffer.from([1])

function commitmentOf(field: PersonalField, value: string | null, salt: Buffer | null): Buffer {
  const content = value === null ? [ABSENT] : [PRESENT, Buffer.from(value)]
  return sha256([...prefixed(salt ?? NO_SALT), ...prefixed(field), ...content])
}

/** 32 bytes for each personal field, in order: all that the chain stores of them. */
export const toCommitments = (line: EntryTexts): Buffer =>
  Buffer.concat(PERSONAL_FIELDS.map((field) => commitmentOf(field, line[field], line.salt)))

/** The personal fields whose values don't match their commitments. */
export function changedPersonalFields(line: EntryTexts, commitments: Buffer): readonly PersonalField[] {
  return PERSONAL_FIELDS.filter((field, index) => {
    const committed = commitments.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)
    return !commitmentOf(field, line[field], line.salt).equals(committed)
  })
}

/** The salt was erased with all personal values: nothing is left to compare with the commitments. */
export const isErased = (line: EntryTexts): boolean =>
  line.salt === null && PERSONAL_FIELDS.every((field) => line[field] === null)

const LINE_DOMAIN = Buffer.from('sightline audit line 1\n')

/**
 * SHA-256 of an entry: name and text of each plain field that isn't null, then name and commitment of each personal
 * field. A field added to the table later is null in older entries and doesn't change their hash.
 */
export function entrySha256(line: EntryTexts, commitments: Buffer): Buffer {
  const plain = PLAIN_FIELDS.flatMap((field) => {
    const value = line[field]
    return value === null ? [] : [...prefixed(field), ...prefixed(value)]
  })
  const personal = PERSONAL_FIELDS.flatMap((field, index) => [
    ...prefixed(field),
    ...prefixed(commitments.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)),
  ])
  return sha256([LINE_DOMAIN, ...plain, ...personal])
}

/** The seed of an organisation's chain, so that no two chains look alike. */
export const chainStart = (accountId: string): Buffer => sha256([Buffer.from(`sightline audit chain 1 ${accountId}`)])

/** SHA-256 of the hash before, the line's number in its chain (8 bytes, big-endian), and the line's own hash. */
export function linkHash(previous: Buffer, sequence: number, line: Buffer): Buffer {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(sequence))
  return sha256([previous, number, line])
}
