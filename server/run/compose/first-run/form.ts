import { isCommonPassword } from '@sightline/auth'
import { confirmationProblem, passwordProblem } from '@sightline/contract/credentials'
import type { FirstRunField, FirstRunPage } from '@sightline/contract/sign-in-pages'
import { companyProblem, emailProblem, nameProblem } from '@sightline/contract/user-details'

/** The validated form. */
export type FirstUser = Readonly<Record<Exclude<FirstRunField, 'confirmation'>, string>>

export type FirstUserForm =
  | { readonly kind: 'fits'; readonly person: FirstUser }
  | { readonly kind: 'wrong'; readonly typed: FirstRunPage['typed']; readonly problems: FirstRunPage['problems'] }

/** Validates the posted form by the usual rules for user details; only passwords keep surrounding spaces. */
export function readFirstUser(fields: URLSearchParams): FirstUserForm {
  const text = (name: FirstRunField): string => (fields.get(name) ?? '').trim()
  const typed = {
    company: text('company'),
    firstName: text('firstName'),
    lastName: text('lastName'),
    email: text('email'),
  }
  const password = fields.get('password') ?? ''
  const found: Readonly<Record<FirstRunField, string | undefined>> = {
    company: typed.company === '' ? 'Company name is required' : companyProblem(typed.company),
    firstName: nameProblem('First', typed.firstName),
    lastName: nameProblem('Last', typed.lastName),
    email: emailProblem(typed.email),
    password: newPasswordProblem(password),
    confirmation: confirmationProblem(password, fields.get('confirmation') ?? ''),
  }
  const problems = Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined))
  if (Object.keys(problems).length > 0) return { kind: 'wrong', typed, problems }
  return { kind: 'fits', person: { ...typed, password } }
}

const newPasswordProblem = (password: string): string | undefined =>
  passwordProblem(password) ?? (isCommonPassword(password) ? 'This password is too common' : undefined)
