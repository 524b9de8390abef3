import type { ManagedUser, ManagedUserPatch } from '@sightline/contract/sub-users'
import {
  companyProblem,
  emailProblem,
  type languageCodes,
  nameProblem,
  phoneProblem,
  type UserDetails,
  type UserDetailsPatch,
} from '@sightline/contract/user-details'
import type { Rules } from '@sightline/kit'

/** The values of the details page. An empty text means "not set". */
export interface UserForm extends Record<string, string> {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly phone: string
  readonly secondaryPhone: string
  readonly companyName: string
  readonly language: string
  readonly address: string
  readonly postalCode: string
  readonly city: string
  readonly region: string
  readonly country: string
}

const namesOf = ['firstName', 'lastName', 'email'] as const
const textsOf = [
  'phone',
  'secondaryPhone',
  'companyName',
  'address',
  'postalCode',
  'city',
  'region',
  'country',
] as const
export const formFields = [...namesOf, ...textsOf, 'language'] as const

export function userForm(person: ManagedUser, details: UserDetails): UserForm {
  const { firstName, lastName, email } = person
  const texts = Object.fromEntries(textsOf.map((field) => [field, details[field] ?? ''])) as Record<
    (typeof textsOf)[number],
    string
  >
  return { firstName, lastName, email, language: details.language, ...texts }
}

const lengthProblem = (longest: number) => (text: string) => {
  const length = [...text].length
  return text === '' || (length >= 2 && length <= longest) ? undefined : `2-${longest} characters`
}

/** The same limit as the server's (contract/src/user-details). */
export const formRules: Rules<UserForm> = {
  firstName: (text) => nameProblem('First', text),
  lastName: (text) => nameProblem('Last', text),
  email: emailProblem,
  phone: phoneProblem,
  secondaryPhone: phoneProblem,
  companyName: companyProblem,
  address: lengthProblem(255),
  city: lengthProblem(128),
  region: lengthProblem(128),
  postalCode: lengthProblem(16),
}

/** The requests, by call; undefined if nothing changed. */
export interface Patches {
  readonly person: ManagedUserPatch | undefined
  readonly details: UserDetailsPatch | undefined
}

export function userPatches(before: UserForm, after: UserForm): Patches {
  const differs = (field: keyof UserForm) => before[field] !== after[field]
  const { firstName, lastName } = after
  const person = {
    // First and last name are sent together, because the server validates both together.
    ...(differs('firstName') || differs('lastName') ? { firstName, lastName } : {}),
    ...(differs('email') ? { email: after.email.trim() } : {}),
  }
  const texts = textsOf.filter(differs).map((field) => [field, after[field] === '' ? null : after[field]])
  const details: UserDetailsPatch = {
    ...Object.fromEntries(texts),
    ...(differs('language') ? { language: after.language as (typeof languageCodes)[number] } : {}),
  }
  const some = <Patch extends object>(patch: Patch) => (Object.keys(patch).length === 0 ? undefined : patch)
  return { person: some(person), details: some(details) }
}
