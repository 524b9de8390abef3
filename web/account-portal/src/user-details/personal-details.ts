import { ApiFailure, type Client } from '@sightline/client'
import { patchTimeZone } from '@sightline/contract/accounts'
import { patchUserDetails, type UserDetails, type UserDetailsPatch } from '@sightline/contract/user-details'
import { patchUser, type UserBase } from '@sightline/contract/users'

/** The values of the personal details card. An empty text means "not set". */
export interface PersonalDetails extends Record<string, string> {
  readonly firstName: string
  readonly lastName: string
  readonly phone: string
  readonly companyName: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** Name in the TZ database; the same for the whole account. */
  readonly timeZone: string
}

export function readPersonalDetails(user: UserBase, details: UserDetails, timeZone: string): PersonalDetails {
  const { firstName, lastName } = user
  const { phone, companyName, country } = details
  return { firstName, lastName, phone: phone ?? '', companyName: companyName ?? '', country: country ?? '', timeZone }
}

/** The requests, by call (decision 29: Details saves with up to three calls). */
export interface DetailChanges {
  readonly name?: { readonly firstName: string; readonly lastName: string }
  readonly details?: Pick<UserDetailsPatch, 'phone' | 'companyName' | 'country'>
  readonly timeZone?: string
}

const orNull = (text: string): string | null => (text === '' ? null : text)

/** Only the differences. First and last name are sent together, because the server validates both together. */
export function detailChanges(before: PersonalDetails, after: PersonalDetails): DetailChanges {
  const differs = (field: keyof PersonalDetails) => before[field] !== after[field]
  const details = {
    ...(differs('phone') ? { phone: orNull(after.phone) } : {}),
    ...(differs('companyName') ? { companyName: orNull(after.companyName) } : {}),
    ...(differs('country') ? { country: orNull(after.country) } : {}),
  }
  return {
    ...(differs('firstName') || differs('lastName')
      ? { name: { firstName: after.firstName, lastName: after.lastName } }
      : {}),
    ...(Object.keys(details).length > 0 ? { details } : {}),
    ...(differs('timeZone') ? { timeZone: after.timeZone } : {}),
  }
}

/** The result of one of the calls. */
export type Outcome =
  | { readonly part: 'name'; readonly saved: UserBase }
  | { readonly part: 'details'; readonly saved: UserDetails }
  | { readonly part: 'timeZone'; readonly saved: { readonly timeZone: string } }
  | { readonly part: keyof DetailChanges; readonly failure: ApiFailure }

async function outcome(part: keyof DetailChanges, saving: Promise<Outcome>): Promise<Outcome> {
  try {
    return await saving
  } catch (failure) {
    if (failure instanceof ApiFailure) return { part, failure }
    throw failure
  }
}

/**
 * Sends the changes, each part separately, and returns the result of each. If one fails, the others are still saved.
 */
export function saveChanges(client: Client, { name, details, timeZone }: DetailChanges): Promise<readonly Outcome[]> {
  const sent: Promise<Outcome>[] = []
  if (name !== undefined) {
    const saving = client.call(patchUser, { body: { ...name } }).then((saved): Outcome => ({ part: 'name', saved }))
    sent.push(outcome('name', saving))
  }
  if (details !== undefined) {
    const saving = client
      .call(patchUserDetails, { body: details })
      .then((saved): Outcome => ({ part: 'details', saved }))
    sent.push(outcome('details', saving))
  }
  if (timeZone !== undefined) {
    const saving = client
      .call(patchTimeZone, { body: { timeZone } })
      .then((saved): Outcome => ({ part: 'timeZone', saved }))
    sent.push(outcome('timeZone', saving))
  }
  return Promise.all(sent)
}
